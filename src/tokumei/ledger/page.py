"""The ledger as one HTML page: releases in time, who got what, joint risk as it grew.

It shows names of releases and recipients, counts and shares, never a person or a value.
"""

from __future__ import annotations

from tokumei._version import __version__
from tokumei.core.measure import Level
from tokumei.core.text import Language, Text
from tokumei.ledger.book import Draft, Ledger
from tokumei.ledger.check import Check
from tokumei.ledger.words import linked_words, unlinked_words, verdict
from tokumei.report.html import render_page

TITLE = Text("Release ledger", "公開台帳")
WIDTH, HEIGHT = 960.0, 200.0
"""Of the drawing, without its margins."""


def render_ledger(book: Ledger, found: Check, draft: Draft | None, *, lang: Language) -> str:
    """The whole page, opening in `lang`."""
    return render_page(
        "ledger/page.html",
        home="tokumei.ledger",
        lang=lang,
        title=TITLE,
        data={},
        styles=["ledger/ledger.css"],
        charts=False,
        found=found,
        dots=dots(found),
        level=level(found),
        added=added(found) if draft is not None else None,
        draft=None if draft is None else draft.entry,
        verdict=verdict(found),
        sentences=[*linked_words(found), *unlinked_words(found)],
        head=book.head,
        version=__version__,
    )


def level(found: Check) -> Level:
    """Whether the joint k is what is claimed; where rows seem unlinked, a warning."""
    if found.linked is None or found.linked.k_min is None or found.k is None:
        return Level.MID
    if found.linked.k_min >= found.k:
        return Level.GOOD
    return Level.BAD if found.is_linked else Level.MID


def dots(found: Check) -> list[tuple[float, float, float]]:
    """Where the steps stand in the drawing: x, y of the people in all, y of those in any."""
    steps = found.growth
    apart = WIDTH / max(len(steps) - 1, 1)
    return [
        (place * apart, HEIGHT * (1 - one.everywhere.below), HEIGHT * (1 - one.anyone.below))
        for place, one in enumerate(steps)
    ]


def added(found: Check) -> Text | None:
    """What the release that has not left would add."""
    if len(found.growth) < 2:
        return None
    before, after = (one.anyone for one in found.growth[-2:])
    return Text(
        f"Before it, {before.below_people:,} of {before.people:,} people were in a joint class "
        f"below k; with it, {after.below_people:,} of {after.people:,}.",
        f"渡す前は {before.people:,} 人中 {before.below_people:,} 人、渡した後は {after.people:,} "
        f"人中 {after.below_people:,} 人が、k 人未満の共通クラスに入ります。",
    )

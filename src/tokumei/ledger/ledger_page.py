"""Renders the ledger as one HTML page: releases over time, recipients, joint risk.

It shows names of releases and recipients, counts and shares, never a person or a value.
"""

from __future__ import annotations

from tokumei._version import __version__
from tokumei.core.language import Language
from tokumei.core.measure import Level
from tokumei.core.messages import Message
from tokumei.ledger.check_messages import (
    describe_linked_risk,
    describe_unlinked_risk,
    describe_verdict,
)
from tokumei.ledger.joint_risk import Check
from tokumei.ledger.ledger import Ledger
from tokumei.ledger.release_draft import DraftRelease
from tokumei.pages.html import render_page

PAGE_TITLE = Message("Release ledger")
WIDTH, HEIGHT = 960.0, 200.0
"""Of the drawing, without its margins."""


def render_ledger(book: Ledger, found: Check, draft: DraftRelease | None, *, lang: Language) -> str:
    """The whole page, opening in `lang`."""
    return render_page(
        "ledger/page.html",
        home="tokumei.ledger",
        lang=lang,
        title=PAGE_TITLE,
        data={},
        styles=["ledger/ledger.css"],
        charts=False,
        found=found,
        dots=growth_points(found),
        level=risk_level(found),
        added=describe_added_risk(found) if draft is not None else None,
        draft=None if draft is None else draft.entry,
        verdict=describe_verdict(found),
        sentences=[*describe_linked_risk(found), *describe_unlinked_risk(found)],
        head=book.head,
        version=__version__,
    )


def risk_level(check: Check) -> Level:
    """Whether the joint k is what is claimed; where rows seem unlinked, a warning."""
    if check.linked is None or check.linked.k_min is None or check.k is None:
        return Level.MID
    if check.linked.k_min >= check.k:
        return Level.GOOD
    return Level.BAD if check.is_linked else Level.MID


def growth_points(check: Check) -> list[tuple[float, float, float]]:
    """Where the steps stand in the drawing: x, y of the people in all, y of those in any."""
    steps = check.growth
    step_width = WIDTH / max(len(steps) - 1, 1)
    return [
        (index * step_width, HEIGHT * (1 - step.everywhere.below), HEIGHT * (1 - step.anyone.below))
        for index, step in enumerate(steps)
    ]


def describe_added_risk(check: Check) -> Message | None:
    """What the release that has not left would add."""
    if len(check.growth) < 2:
        return None
    before, after = (step.anyone for step in check.growth[-2:])
    return Message(
        "Before it, {below_before:,} of {people_before:,} people were in a joint class below k; "
        "with it, {below_after:,} of {people_after:,}.",
        below_before=before.below_people,
        people_before=before.people,
        below_after=after.below_people,
        people_after=after.people,
    )

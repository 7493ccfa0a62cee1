"""What the releases of a coalition say together, beside what each says alone.

    found = book.check(["A", "B"], joint_k=5)
    found.linked.below, found.worst, found.faults

Linked and unlinked figures are always both given, each under its assumption; which of the two
holds is what the linkage tests say. That recipients promised not to collude is no figure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from tokumei.core.errors import Fault, InputError, UnknownNameError
from tokumei.core.text import Text
from tokumei.ledger.absent import Absent, Invariance, Presence, absent, invariance, presence
from tokumei.ledger.classes import Recorded
from tokumei.ledger.entry import Entry
from tokumei.ledger.limits import limit_faults
from tokumei.ledger.linkage import Evidence, linkage
from tokumei.ledger.linked import (
    Coalition,
    Linked,
    Step,
    anyone,
    coalitions,
    growth,
    linked_figures,
    worst,
)
from tokumei.ledger.together import Together
from tokumei.ledger.unlinked import Unlinked, unlinked_figures

if TYPE_CHECKING:
    from tokumei.ledger.book import Draft, Ledger

RECIPIENT = Text("recipient", "受領者")
FEW_IN_COMMON = 0.01
UNKNOWN_UNLINKED = Text(
    "Figures for rows that cannot be linked are not known: nobody is in all releases with one row, "
    "or there are too many different values or classes to compare",
    "行が結び付かない場合の数値は分かりません (すべてに 1 行ずつ含まれる人がいないか、値や"
    "クラスの種類が多すぎて比べられません)",
)
MOST_PAIRS = 40
"""Linkage is tested between consecutive releases and the worst pairs, at most so many."""


@dataclass(frozen=True, eq=False)
class Check:
    """All figures of a coalition; `singles` are those of each release alone."""

    coalition: tuple[str, ...]
    entries: tuple[Entry, ...]
    k: int | None
    singles: tuple[Linked, ...]
    linked: Linked | None
    anyone: Linked | None
    unlinked: Unlinked | None
    presence: Presence | None
    invariance: Invariance | None
    linkage: tuple[Evidence, ...]
    absent: tuple[Absent, ...]
    pairs: tuple[Coalition, ...]
    all_pairs: bool
    growth: tuple[Step, ...] = ()
    """The figures of the first release, of the first two, and so on."""
    notes: tuple[Text, ...] = ()
    faults: tuple[Fault, ...] = field(default=())

    @property
    def is_linked(self) -> bool:
        """Whether a test found that rows of one person can be told in two of the releases."""
        return any(one.linked for one in self.linkage)

    @property
    def worst(self) -> Coalition | None:
        """The pair of releases with the largest share of people below k."""
        return worst(self.pairs)

    def as_json(self) -> dict[str, Any]:
        """The document of `tokumei ledger check --json`."""
        names = [one.name for one in self.entries]
        told = {
            name: None if part is None else part.as_json()
            for name, part in {
                "linked": self.linked,
                "anyone": self.anyone,
                "unlinked": self.unlinked,
                "presence": self.presence,
                "invariance": self.invariance,
            }.items()
        }
        return {
            "ok": not self.faults,
            "coalition": list(self.coalition),
            "releases": names,
            "k": self.k,
            "people": 0 if self.linked is None else self.linked.people,
            **told,
            "singles": {n: one.as_json() for n, one in zip(names, self.singles, strict=True)},
            "verdict": "linked" if self.is_linked else "unlinked",
            "linkage": [one.as_json() for one in self.linkage],
            "absent": [
                one.as_json() | {"first": names[one.first], "second": names[one.second]}
                for one in self.absent
            ],
            "pairs": [one.as_json(names) for one in self.pairs],
            "all_pairs": self.all_pairs,
            "worst": None if self.worst is None else self.worst.as_json(names),
            "growth": [one.as_json() for one in self.growth],
            "notes_en": [one.en for one in self.notes],
            "notes_ja": [one.ja for one in self.notes],
            "faults": [one.as_json() for one in self.faults],
        }


def check_ledger(
    book: Ledger,
    coalition: Sequence[str] = (),
    *,
    joint_k: int | None = None,
    certain: float | None = None,
    draft: Draft | None = None,
    most: int = 2,
    by_verdict: bool = False,
) -> Check:
    """The figures, with a release that has not left yet if one is given.

    `joint_k` and `certain` are limits, which make faults; `by_verdict`: only if rows are linked.
    `most`: how many releases the coalitions have that are looked at one by one.
    """
    entries = chosen_entries(book, coalition, draft)
    parts = [book.recorded(one) for one in entries if draft is None or one is not draft.entry]
    parts += [] if draft is None else [draft.recorded]
    return figures(entries, parts, joint_k, certain, most, by_verdict, notes=book.notes)


def chosen_entries(book: Ledger, coalition: Sequence[str], draft: Draft | None) -> list[Entry]:
    """The releases that the recipients named have got; the next one goes to all of them."""
    entries = list(book.entries)
    recipients = {one.recipient for one in entries} | ({draft.entry.recipient} if draft else set())
    for name in coalition:
        if name not in recipients:
            raise UnknownNameError(RECIPIENT, name, recipients, field="coalition")
    if coalition:
        entries = [one for one in entries if one.recipient in coalition]
    entries += [] if draft is None else [draft.entry]
    if not entries:
        raise InputError("there is no release in the ledger", "台帳に匿名加工データがありません")
    return entries


def figures(
    entries: list[Entry],
    parts: list[Recorded],
    joint_k: int | None = None,
    certain: float | None = None,
    most: int = 2,
    by_verdict: bool = False,
    notes: Sequence[Text] = (),
) -> Check:
    """All figures of releases that are read."""
    all_ = Together.of(parts)
    k = joint_k or min((one.k for one in entries if one.k is not None), default=None)
    known = [place for place, one in enumerate(entries) if one.linked]
    everywhere = list(range(len(entries)))
    sensitive = min(len(one.sensitive) for one in entries)
    found, whole = coalitions(all_, known, k, most=most)
    tested = _tested(known, found)
    made = Check(
        coalition=tuple(dict.fromkeys(one.recipient for one in entries)),
        entries=tuple(entries),
        k=k,
        singles=tuple(linked_figures(all_, [one], entries[one].k, sensitive) for one in everywhere),
        linked=linked_figures(all_, known, k, sensitive) if known else None,
        anyone=anyone(all_, known, k) if known else None,
        unlinked=unlinked_figures(all_, everywhere, sensitive),
        presence=presence(all_, known) if known else None,
        invariance=invariance(all_, known, sensitive),
        linkage=tuple(one for pair in tested for one in linkage(all_, entries, pair)),
        absent=tuple(absent(all_, *pair, k) for pair in pairwise(known)),
        pairs=tuple(found),
        all_pairs=whole,
        growth=tuple(growth(all_, entries, known, k, sensitive)),
        notes=(*notes, *_warnings(all_, entries)),
    )
    if sensitive and made.unlinked is None:
        made = replace(made, notes=(*made.notes, UNKNOWN_UNLINKED))
    return replace(made, faults=limit_faults(made, joint_k, certain, by_verdict))


def _tested(known: Sequence[int], found: Sequence[Coalition]) -> list[tuple[int, int]]:
    """The pairs whose linkage is tested: all if they are few."""
    pairs: list[tuple[int, ...]] = [one.releases for one in found if len(one.releases) == 2]
    if len(pairs) > MOST_PAIRS:
        ranked = sorted((one for one in found if len(one.releases) == 2), key=lambda c: -c.below)
        pairs = [*map(tuple, pairwise(known)), *(one.releases for one in ranked)][:MOST_PAIRS]
    return [(one[0], one[1]) for one in dict.fromkeys(pairs)]


def _warnings(all_: Together, entries: Sequence[Entry]) -> list[Text]:
    told = []
    for one, other in pairwise(range(len(entries))):
        least = min(entries[one].people, entries[other].people)
        common = int(all_.present((one, other)).sum())
        if least and common < FEW_IN_COMMON * least:
            told.append(_strangers(entries[one], entries[other], common))
    labels: dict[str, str] = {}
    for entry in entries:
        if entry.labels and labels.setdefault(entry.kind, entry.labels) != entry.labels:
            told.append(_labels(entry))
    told += [_several_rows(one) for one in entries if one.repeated]
    return told


def _strangers(one: Entry, other: Entry, common: int) -> Text:
    return Text(
        f"WARNING: '{one.name}' and '{other.name}' have {common} people in common, less than 1 %: "
        "are their ids written in the same way?",
        f"警告: '{one.name}' と '{other.name}' に共通する人は {common} 人 (1 % 未満) です。"
        "ID の書き方は同じですか?",
    )


def _labels(entry: Entry) -> Text:
    return Text(
        f"'{entry.name}' was made with other hierarchies than an earlier release: its labels may "
        "stand for other values",
        f"'{entry.name}' は以前と異なる階層で作られています。同じ名前が別の値を表すことがあります",
    )


def _several_rows(entry: Entry) -> Text:
    return Text(
        f"'{entry.name}': {entry.repeated} people have several rows; their class is that of all of "
        "them, and unlinked figures leave them out",
        f"'{entry.name}': {entry.repeated} 人に複数の行があります。全行をまとめたクラスで数え、"
        "結び付かない場合の数値からは除きます",
    )

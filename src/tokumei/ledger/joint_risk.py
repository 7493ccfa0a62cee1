"""Computes the joint risk of the releases that a coalition holds, beside each single risk.

    found = book.check(["A", "B"], joint_k=5)
    found.linked.below, found.worst, found.faults

Linked and unlinked figures are always both given, each under its assumption; which of the two
holds is what the linkage tests say. That recipients promised not to collude is no figure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from tokumei.core.catalogs import available_languages
from tokumei.core.errors import UnknownNameError, Violation
from tokumei.core.json_types import JsonObject
from tokumei.core.messages import Message
from tokumei.ledger.class_membership import ClassMembership
from tokumei.ledger.entry import LedgerEntry
from tokumei.ledger.ledger import Ledger, no_releases_error
from tokumei.ledger.limit_violations import limit_violations
from tokumei.ledger.linkage_tests import LinkageEvidence, run_linkage_tests
from tokumei.ledger.linked_risk import (
    CoalitionRisk,
    GrowthStep,
    LinkedRisk,
    coalition_risks,
    linked_risk,
    linked_risk_of_anyone,
    risk_growth,
    worst_coalition,
)
from tokumei.ledger.presence_and_invariance import (
    MembershipChange,
    MInvariance,
    Presence,
    compare_membership,
    delta_presence,
    m_invariance,
)
from tokumei.ledger.recorded_classes import RecordedClasses
from tokumei.ledger.unlinked_risk import UnlinkedRisk, unlinked_risk

if TYPE_CHECKING:
    from tokumei.ledger.release_draft import DraftRelease

RECIPIENT_LABEL = Message("recipient")
MIN_COMMON_SHARE = 0.01
UNLINKED_RISK_UNKNOWN = Message(
    "Figures for rows that cannot be linked are not known: nobody is in all releases with one row, "
    "or there are too many different values or classes to compare"
)
MAX_TESTED_PAIRS = 40
"""Linkage is tested between consecutive releases and the worst pairs, at most so many."""


@dataclass(frozen=True, eq=False)
class Check:
    """All figures of a coalition; `singles` are those of each release alone."""

    coalition: tuple[str, ...]
    entries: tuple[LedgerEntry, ...]
    k: int | None
    singles: tuple[LinkedRisk, ...]
    linked: LinkedRisk | None
    anyone: LinkedRisk | None
    unlinked: UnlinkedRisk | None
    presence: Presence | None
    invariance: MInvariance | None
    linkage: tuple[LinkageEvidence, ...]
    absent: tuple[MembershipChange, ...]
    pairs: tuple[CoalitionRisk, ...]
    all_pairs: bool
    growth: tuple[GrowthStep, ...] = ()
    """The figures of the first release, of the first two, and so on."""
    notes: tuple[Message, ...] = ()
    faults: tuple[Violation, ...] = field(default=())

    @property
    def is_linked(self) -> bool:
        """Whether a test found that rows of one person can be told in two of the releases."""
        return any(evidence.linked for evidence in self.linkage)

    @property
    def worst(self) -> CoalitionRisk | None:
        """The pair of releases with the largest share of people below k."""
        return worst_coalition(self.pairs)

    def as_json(self) -> JsonObject:
        """The document of `tokumei ledger check --json`."""
        names = [item.name for item in self.entries]
        summaries = {
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
            "releases": [*names],
            "k": self.k,
            "people": 0 if self.linked is None else self.linked.people,
            **summaries,
            "singles": {n: item.as_json() for n, item in zip(names, self.singles, strict=True)},
            "verdict": "linked" if self.is_linked else "unlinked",
            "linkage": [item.as_json() for item in self.linkage],
            "absent": [
                item.as_json() | {"first": names[item.first], "second": names[item.second]}
                for item in self.absent
            ],
            "pairs": [item.as_json(names) for item in self.pairs],
            "all_pairs": self.all_pairs,
            "worst": None if self.worst is None else self.worst.as_json(names),
            "growth": [item.as_json() for item in self.growth],
            **{
                f"notes_{language}": [item.show(language) for item in self.notes]
                for language in available_languages()
            },
            "faults": [item.as_json() for item in self.faults],
        }


def check_ledger(
    book: Ledger,
    coalition: Sequence[str] = (),
    *,
    joint_k: int | None = None,
    certain: float | None = None,
    draft: DraftRelease | None = None,
    most: int = 2,
    by_verdict: bool = False,
) -> Check:
    """The figures, with a release that has not left yet if one is given.

    `joint_k` and `certain` are limits, which make faults; `by_verdict`: only if rows are linked.
    `most`: how many releases the coalitions have that are looked at one by one.
    """
    entries = select_entries(book, coalition, draft)
    recorded_parts = [
        book.recorded(entry) for entry in entries if draft is None or entry is not draft.entry
    ]
    recorded_parts += [] if draft is None else [draft.recorded]
    return compute_joint_risk(
        entries, recorded_parts, joint_k, certain, most, by_verdict, notes=book.notes
    )


def select_entries(
    book: Ledger, coalition: Sequence[str], draft: DraftRelease | None
) -> list[LedgerEntry]:
    """The releases that the recipients named have got; the next one goes to all of them."""
    entries = list(book.entries)
    if not entries and draft is None:
        raise no_releases_error()
    recipients = {entry.recipient for entry in entries} | (
        {draft.entry.recipient} if draft else set()
    )
    for name in coalition:
        if name not in recipients:
            raise UnknownNameError(RECIPIENT_LABEL, name, recipients, field="coalition")
    if coalition:
        entries = [entry for entry in entries if entry.recipient in coalition]
    return entries if draft is None else [*entries, draft.entry]


def compute_joint_risk(
    entries: list[LedgerEntry],
    parts: list[RecordedClasses],
    joint_k: int | None = None,
    certain: float | None = None,
    most: int = 2,
    by_verdict: bool = False,
    notes: Sequence[Message] = (),
) -> Check:
    """All figures of releases that are read."""
    membership = ClassMembership.of(parts)
    k = joint_k or min((item.k for item in entries if item.k is not None), default=None)
    linked_releases = [index for index, item in enumerate(entries) if item.linked]
    all_releases = list(range(len(entries)))
    sensitive = min(len(item.sensitive) for item in entries)
    risks_by_coalition, is_complete = coalition_risks(membership, linked_releases, k, most=most)
    pairs_to_test = _pairs_to_test(linked_releases, risks_by_coalition)
    check = Check(
        coalition=tuple(dict.fromkeys(item.recipient for item in entries)),
        entries=tuple(entries),
        k=k,
        singles=tuple(
            linked_risk(membership, [item], entries[item].k, sensitive) for item in all_releases
        ),
        linked=linked_risk(membership, linked_releases, k, sensitive) if linked_releases else None,
        anyone=linked_risk_of_anyone(membership, linked_releases, k) if linked_releases else None,
        unlinked=unlinked_risk(membership, all_releases, sensitive),
        presence=delta_presence(membership, linked_releases) if linked_releases else None,
        invariance=m_invariance(membership, linked_releases, sensitive),
        linkage=tuple(
            item for pair in pairs_to_test for item in run_linkage_tests(membership, entries, pair)
        ),
        absent=tuple(
            compare_membership(membership, *pair, k) for pair in pairwise(linked_releases)
        ),
        pairs=tuple(risks_by_coalition),
        all_pairs=is_complete,
        growth=tuple(risk_growth(membership, entries, linked_releases, k, sensitive)),
        notes=(*notes, *_entry_warnings(membership, entries)),
    )
    if sensitive and check.unlinked is None:
        check = replace(check, notes=(*check.notes, UNLINKED_RISK_UNKNOWN))
    return replace(check, faults=limit_violations(check, joint_k, certain, by_verdict))


def _pairs_to_test(known: Sequence[int], found: Sequence[CoalitionRisk]) -> list[tuple[int, int]]:
    """The pairs whose linkage is tested: all if they are few."""
    pairs: list[tuple[int, ...]] = [
        coalition.releases for coalition in found if len(coalition.releases) == 2
    ]
    if len(pairs) > MAX_TESTED_PAIRS:
        ranked = sorted(
            (coalition for coalition in found if len(coalition.releases) == 2),
            key=lambda c: -c.below,
        )
        pairs = [*map(tuple, pairwise(known)), *(coalition.releases for coalition in ranked)][
            :MAX_TESTED_PAIRS
        ]
    return [(coalition[0], coalition[1]) for coalition in dict.fromkeys(pairs)]


def _entry_warnings(membership: ClassMembership, entries: Sequence[LedgerEntry]) -> list[Message]:
    warnings = []
    for first, second in pairwise(range(len(entries))):
        smaller_count = min(entries[first].people, entries[second].people)
        common_count = int(membership.present((first, second)).sum())
        if smaller_count and common_count < MIN_COMMON_SHARE * smaller_count:
            warnings.append(
                _few_common_people_warning(entries[first], entries[second], common_count)
            )
    labels: dict[str, str] = {}
    for entry in entries:
        if entry.labels and labels.setdefault(entry.kind, entry.labels) != entry.labels:
            warnings.append(_hierarchies_differ_warning(entry))
    warnings += [_several_rows_warning(first) for first in entries if first.repeated]
    return warnings


def _few_common_people_warning(first: LedgerEntry, second: LedgerEntry, common: int) -> Message:
    return Message(
        "WARNING: '{first}' and '{second}' have {common} people in common, less than 1 %: are "
        "their ids written in the same way?",
        first=first.name,
        second=second.name,
        common=common,
    )


def _hierarchies_differ_warning(entry: LedgerEntry) -> Message:
    return Message(
        "'{name}' was made with other hierarchies than an earlier release: its labels may "
        "stand for other values",
        name=entry.name,
    )


def _several_rows_warning(entry: LedgerEntry) -> Message:
    return Message(
        "'{name}': {people} people have several rows; their class is that of all these rows, and "
        "unlinked figures leave them out",
        name=entry.name,
        people=entry.repeated,
    )

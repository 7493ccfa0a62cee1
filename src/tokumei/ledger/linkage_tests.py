"""Tests whether a coalition can link the rows of one person in two releases.

Each test is one line of evidence. Rows are linked by their order, by a column that passes with
(nearly) unique values, a pseudonym for example, or by all that the two files show together.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tokumei.core.attack_rates import wilson
from tokumei.core.json_types import JsonObject
from tokumei.core.messages import Message
from tokumei.ledger.class_membership import ClassMembership
from tokumei.ledger.entry import LedgerEntry
from tokumei.ledger.linkage_rates import expected_linkage_rate, profile_linkage_rate

LINKED_SHARE = 0.05
"""An attack that links so many people makes two releases linked."""
MIN_ORDER_CORRELATION, ORDER_SIGMAS = 0.05, 4.0
CHANCE_MATCHES = 5
"""So many people in the same row of both releases may be chance."""


@dataclass(frozen=True)
class LinkageEvidence:
    """One test: FAIL means that rows are linked by this."""

    test: str
    linked: bool
    value: float | None
    sentence: Message
    releases: tuple[str, str]

    def as_json(self) -> JsonObject:
        """Plain data, in every language."""
        return {
            "test": self.test,
            "verdict": "FAIL" if self.linked else "PASS",
            "value": self.value,
            "releases": list(self.releases),
            **self.sentence.as_json("evidence"),
        }


@dataclass(frozen=True, eq=False)
class _ReleasePair:
    """Two releases, and the people who are in both."""

    all_: ClassMembership
    pair: tuple[int, int]
    people: np.ndarray
    names: tuple[str, str]


def run_linkage_tests(
    membership: ClassMembership, entries: list[LedgerEntry], pair: tuple[int, int]
) -> list[LinkageEvidence]:
    """All tests of two releases whose links are known."""
    first, second = (entries[release] for release in pair)
    release_pair = _ReleasePair(
        membership, pair, np.flatnonzero(membership.present(pair)), (first.name, second.name)
    )
    if not (first.linked and second.linked and len(release_pair.people)):
        return []
    evidence = [_row_order_test(release_pair), _file_hash_test(first, second)]
    shared = [name for name in first.cells if name in second.cells]
    column_pairs = [(first.cells.index(name), second.cells.index(name)) for name in shared]
    evidence += [
        _unique_values_test(release_pair, name, column_pair)
        for name, column_pair in zip(shared, column_pairs, strict=True)
    ]
    return [
        *evidence,
        _linkage_attack_test(release_pair, column_pairs),
        *_profile_attack_test(release_pair),
    ]


def _row_order_test(release_pair: _ReleasePair) -> LinkageEvidence:
    """The same person in the same row, and the rank correlation of the rows."""
    rows = [release_pair.all_.taken("row", item, release_pair.people) for item in release_pair.pair]
    same_row_count = int((rows[0] == rows[1]).sum())
    ranks = [np.argsort(np.argsort(item)) for item in rows]
    n = len(release_pair.people)
    rank_correlation = float(np.corrcoef(ranks[0], ranks[1])[0, 1]) if n > 2 else 0.0
    max_correlation = max(MIN_ORDER_CORRELATION, ORDER_SIGMAS / np.sqrt(max(n - 1, 1)))
    linked = (
        abs(rank_correlation) > max_correlation
        or (same_row_count == n and n > 2)
        or same_row_count > max(CHANCE_MATCHES, LINKED_SHARE * n)
    )
    return LinkageEvidence(
        "row-order",
        linked,
        rank_correlation,
        Message(
            "{same} of {people} people are in the same row of both files; rank correlation of the "
            "rows {correlation:.3f}",
            same=same_row_count,
            people=n,
            correlation=rank_correlation,
        ),
        release_pair.names,
    )


def _file_hash_test(first: LedgerEntry, second: LedgerEntry) -> LinkageEvidence:
    same = first.sha256 == second.sha256
    sentence = Message("the files are the same")
    if not same:
        sentence = Message("the files differ")
    return LinkageEvidence("file-hash", same, float(same), sentence, (first.name, second.name))


def _unique_values_test(
    release_pair: _ReleasePair, column: str, column_pair: tuple[int, int]
) -> LinkageEvidence:
    """How many people have a value of their own in a column, the same in both files."""
    membership, people = release_pair.all_, release_pair.people
    cells = [
        membership.cell(column_index, release, people)
        for column_index, release in zip(column_pair, release_pair.pair, strict=True)
    ]
    is_unique = np.ones(len(people), dtype=bool)
    for own_cells, column_index, release in zip(cells, column_pair, release_pair.pair, strict=True):
        values, counts = np.unique(
            membership.releases[release].people_column(f"cell_{column_index}"), return_counts=True
        )
        is_unique &= counts[np.searchsorted(values, own_cells)] == 1
    hits, n = int((is_unique & (cells[0] == cells[1])).sum()), len(people)
    low, high = wilson(hits, n)
    return LinkageEvidence(
        "unique-values",
        hits > max(CHANCE_MATCHES, LINKED_SHARE * n) or (hits == n and n > 2),
        hits / n,
        Message(
            "column '{column}' alone links {hits} of {people} people ({low:percent} to "
            "{high:percent})",
            column=column,
            hits=hits,
            people=n,
            low=low,
            high=high,
        ),
        release_pair.names,
    )


def _linkage_attack_test(
    release_pair: _ReleasePair, column_pairs: list[tuple[int, int]]
) -> LinkageEvidence:
    """From a row of the first to those of the second that may be the same person's."""
    rate, by_classes = expected_linkage_rate(
        release_pair.all_, release_pair.pair, release_pair.people, column_pairs
    )
    n = len(release_pair.people)
    low, high = wilson(rate * n, n)
    knowledge = Message(
        "{count} shared column", plural="{count} shared columns", count=len(column_pairs)
    )
    if by_classes:
        knowledge = Message(
            "{count} shared column and the classes that overlap",
            plural="{count} shared columns and the classes that overlap",
            count=len(column_pairs),
        )
    return LinkageEvidence(
        "linkage-attack",
        low > LINKED_SHARE or (rate > 0.5 and n > 2),
        rate,
        Message(
            "by {knowledge}, a guess finds the same person's row for {rate:percent} of {people} "
            "people ({low:percent} to {high:percent}); a blind guess for {blind:percent}",
            knowledge=knowledge,
            rate=rate,
            people=n,
            low=low,
            high=high,
            blind=1 / n,
        ),
        release_pair.names,
    )


def _profile_attack_test(release_pair: _ReleasePair) -> list[LinkageEvidence]:
    """By what people do again and again, whatever they are called."""
    rate = profile_linkage_rate(release_pair.all_, release_pair.pair, release_pair.people)
    if rate is None:
        return []
    n = len(release_pair.people)
    low, high = wilson(rate * n, n)
    blind = 1 / int((release_pair.all_.place[:, release_pair.pair[1]] >= 0).sum())
    sentence = Message(
        "by what people buy, a guess finds the same person for {rate:percent} of {people} people "
        "({low:percent} to {high:percent}; a blind guess for {blind:percent})",
        rate=rate,
        people=n,
        low=low,
        high=high,
        blind=blind,
    )
    return [
        LinkageEvidence("profile-attack", low > LINKED_SHARE, rate, sentence, release_pair.names)
    ]

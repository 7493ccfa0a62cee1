"""Recognizes people in a release by their values, whatever its link says.

    ValueLinkage(original).of(public).rate

A link is what a team claims; values are what everybody sees. A person x is recognised in a row y of
the release by one of three ways of looking:

    fit       QI(x) fits y in all QI that vary in S, and x is the nearest of those in the SA
    near      x is nearest by far in the SA, of all people; by values, and by each column's order
    verbatim  most of the SA cells that the release keeps verbatim are those of x alone

"By far" is a factor f: only one stranger in ten (a person of X compared with all the others)
has someone who is nearest by f. If c people are as near as that, each is recognised by 1/c; inside
those whose QI fit the factor is ∛f, as the QI speak for them already. A row that shows one person
for certain is not looked at further. A person counts once, by the clearest row:
rate = Σ_x max_y share(x, y) / |S|.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property, partial

import numpy as np
from scipy.spatial.distance import cdist

from tokumei.tables.attackers.missing_values import fill_gaps_with_mean
from tokumei.tables.attackers.qi_candidates import match_consistent_qi
from tokumei.tables.attackers.sensitive_distance import build_sensitive_boxes, standard_deviations
from tokumei.tables.data.guess import ABSTAIN, Guess, Knowledge
from tokumei.tables.data.table import Table

MAX_CROWD = 20
"""Among more people than this, nobody is recognised."""
STRANGER_SAMPLE = 500
CHANCE_LEVEL = 0.1
FACTORS = 1.05 ** np.arange(1, 90)
VERBATIM_SHARE = 0.5
"""A column is kept verbatim if this share of its released cells stand in X, …"""
MAX_EQUAL_CELLS = 3
"""… each with so few people."""
_BLOCK_PAIRS = 2_000_000
_SMALL_PAIRS = 2_000
_NEIGHBOURS = 300
_TIE_TOLERANCE = 1e-9
LinkedPairs = tuple[np.ndarray, np.ndarray, np.ndarray]
"""Released rows, people, and by how much each of them is recognised in that row."""
LinkageMethod = Callable[[np.ndarray], Iterator[LinkedPairs]]


@dataclass(frozen=True, eq=False)
class LinkageResult:
    """What values show: the share of people found, and per row the one who is shown for certain."""

    rate: float
    person: np.ndarray = field(repr=False)


@dataclass(frozen=True, eq=False)
class ValueLinkage:
    """The people of X, ready to be looked for in releases."""

    original: Table

    def of(self, public: Table) -> LinkageResult:
        """How many people the release shows."""
        boxes = build_sensitive_boxes(public, Knowledge(self.original))
        known, released = boxes.known, fill_gaps_with_mean(boxes.low, boxes.known)
        scale = standard_deviations(known)
        known, released = known / scale, released / scale
        shares = np.zeros(self.original.rows)
        person = np.full(public.rows, ABSTAIN)
        for method in self._linkage_methods(public, known, released):
            open_rows = person == ABSTAIN
            for row, people, share in method(open_rows):
                np.maximum.at(shares, people, share)
                is_certain = share == 1.0
                person[row[is_certain]] = people[is_certain]
        return LinkageResult(min(float(shares.sum()) / public.rows, 1.0), person)

    def _linkage_methods(
        self, public: Table, known: np.ndarray, released: np.ndarray
    ) -> list[LinkageMethod]:
        """The ways of looking, the quickest first; each is told which rows are still open."""
        methods: list[LinkageMethod] = [
            lambda rows: self._link_fitting(public, known, released, rows),
            lambda rows: iter([_keep_open_rows(rows, verbatim_pairs(known, released))]),
            partial(self._link_nearest, known, released),
        ]
        if known.shape[1] > 1:
            methods.append(
                partial(self._link_nearest, _relative_ranks(known), _relative_ranks(released))
            )
        return methods

    def _link_nearest(
        self, known: np.ndarray, released: np.ndarray, open_rows: np.ndarray
    ) -> Iterator[LinkedPairs]:
        """The nearest of everybody."""
        rows = np.flatnonzero(open_rows)
        everybody = np.arange(len(known))
        for row, linked, share in nearest_pairs(known, released[rows], everybody, self.factor):
            yield rows[row], linked, share

    def _link_fitting(
        self, public: Table, known: np.ndarray, released: np.ndarray, open_rows: np.ndarray
    ) -> Iterator[LinkedPairs]:
        """The nearest of those whose QI fit; a QI with one value in the release tells nothing."""
        varying = [q for q in self.original.schema.qi if public.frame[q].n_unique() > 1]
        if not varying:
            return
        candidates = match_consistent_qi(public.frame, self.original.frame, varying, strict=False)
        if not candidates.answered.any():  # no row fits, so that there is no group of candidates
            return
        has_one_candidate = (np.diff(candidates.start) == 1)[candidates.group] & candidates.answered
        rows = np.flatnonzero(has_one_candidate & open_rows)
        yield rows, candidates.rows[candidates.start[candidates.group[rows]]], np.ones(len(rows))
        factor = float(np.cbrt(self.factor))
        for rows, people in _candidate_groups(candidates, open_rows & ~has_one_candidate):
            for row, linked, share in nearest_pairs(known[people], released[rows], people, factor):
                yield rows[row], linked, share

    @cached_property
    def factor(self) -> float:
        """How much nearer than the next is "by far" in this X."""
        known = self.original.numbers(self.original.schema.sa)
        points = known / standard_deviations(known)
        sampled = np.linspace(0, len(points) - 1, min(STRANGER_SAMPLE, len(points))).astype(
            np.int64
        )
        squares = cdist(points[sampled], points, "sqeuclidean")
        squares[np.arange(len(sampled)), sampled] = np.inf
        squares.partition(min(_NEIGHBOURS, len(points) - 1), axis=1)
        squares = squares[:, :_NEIGHBOURS]
        nearest = squares.min(axis=1)
        for factor in FACTORS:
            within = (squares <= (factor**2 * nearest + _TIE_TOLERANCE)[:, None]).sum(axis=1)
            if (1.0 / np.maximum(within, 1)).mean() <= CHANCE_LEVEL:
                return float(factor)
        return float(FACTORS[-1])


def nearest_pairs(
    known: np.ndarray, released: np.ndarray, people: np.ndarray, factor: float
) -> Iterator[LinkedPairs]:
    """For each released point those known ones that are within `factor` of the nearest's distance.

    Matrix products in single precision find all that may be; distances are then computed anew.
    """
    if len(known) * len(released) <= _SMALL_PAIRS:
        row, person_index = (part.ravel() for part in np.indices((len(released), len(known))))
        yield _pairs_within_factor(known, released, row, person_index, people, factor)
        return
    middle = known.mean(axis=0)
    single = (known - middle).astype(np.float32)
    lengths = (single * single).sum(axis=1)
    doubled = (-2.0 * single).T
    step = max(1, _BLOCK_PAIRS // len(known))
    for begin in range(0, len(released), step):
        block = released[begin : begin + step]
        row, person_index = _candidate_pairs(single, lengths, doubled, block - middle, factor)
        row, person_index, share = _pairs_within_factor(
            known, block, row, person_index, people, factor
        )
        yield row + begin, person_index, share


def _candidate_pairs(
    single: np.ndarray, lengths: np.ndarray, doubled: np.ndarray, block: np.ndarray, factor: float
) -> tuple[np.ndarray, np.ndarray]:
    """Pairs that hold all within the factor, rounding allowed for; none of rows in a crowd."""
    norm = (block**2).sum(axis=1)
    squares = block.astype(np.float32) @ doubled
    squares += lengths
    least = squares.min(axis=1) + norm
    slack = 1e-5 * (np.sqrt(norm) + np.sqrt(np.maximum(least, 0))) ** 2
    limit = (factor**2 * (np.maximum(least, 0) + slack) + slack + _TIE_TOLERANCE - norm).astype(
        np.float32
    )
    within = squares <= limit[:, None]
    few = np.flatnonzero(np.count_nonzero(within, axis=1) <= 2 * MAX_CROWD)
    row, person_index = np.nonzero(within[few])
    return few[row], person_index


def _pairs_within_factor(
    known: np.ndarray,
    released: np.ndarray,
    row: np.ndarray,
    person_index: np.ndarray,
    people: np.ndarray,
    factor: float,
) -> LinkedPairs:
    """Those of the pairs that are within the factor of their row's nearest."""
    exact = ((released[row] - known[person_index]) ** 2).sum(axis=1)
    nearest = np.full(len(released), np.inf)
    np.minimum.at(nearest, row, exact)
    is_near = exact <= factor**2 * nearest[row] + _TIE_TOLERANCE
    return _share_equally(row[is_near], people[person_index[is_near]])


def _keep_open_rows(open_rows: np.ndarray, pairs: LinkedPairs) -> LinkedPairs:
    row, people, share = pairs
    keep = open_rows[row]
    return row[keep], people[keep], share[keep]


def verbatim_pairs(known: np.ndarray, released: np.ndarray) -> LinkedPairs:
    """Those whose cells a row has: at least half as many as the one who has most of them."""
    votes = [
        np.column_stack(pair)
        for pair in map(_equal_cell_pairs, known.T, released.T)
        if len(np.unique(pair[0])) >= VERBATIM_SHARE * len(released)
    ]
    if not votes:
        return _share_equally(np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64))
    pairs, count = np.unique(np.concatenate(votes), axis=0, return_counts=True)
    most = np.zeros(len(released), dtype=np.int64)
    np.maximum.at(most, pairs[:, 0], count)
    most_voted = pairs[2 * count >= most[pairs[:, 0]]]
    return _share_equally(most_voted[:, 0], most_voted[:, 1])


def _equal_cell_pairs(known: np.ndarray, released: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Pairs of a released row and a person with the same cell, if few have it."""
    order = np.argsort(known, kind="stable")
    first = np.searchsorted(known[order], released, "left")
    number = np.searchsorted(known[order], released, "right") - first
    rows = np.flatnonzero((number > 0) & (number <= MAX_EQUAL_CELLS))
    each = number[rows]
    inside = np.arange(each.sum()) - np.repeat(np.cumsum(each) - each, each)
    return np.repeat(rows, each), order[np.repeat(first[rows], each) + inside]


def _share_equally(row: np.ndarray, people: np.ndarray) -> LinkedPairs:
    """Every row's people with equal shares; none where they are a crowd."""
    crowd = np.bincount(row)[row] if len(row) else row
    is_small = crowd <= MAX_CROWD
    return row[is_small], people[is_small], 1.0 / crowd[is_small]


def _candidate_groups(
    candidates: Guess, open_rows: np.ndarray
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Released rows with one set of candidates, and these."""
    rows = np.flatnonzero(open_rows & candidates.answered)
    if not len(rows):
        return
    rows = rows[np.argsort(candidates.group[rows], kind="stable")]
    numbers, begin = np.unique(candidates.group[rows], return_index=True)
    for number, part in zip(numbers, np.split(rows, begin[1:]), strict=True):
        yield part, candidates.rows[candidates.start[number] : candidates.start[number + 1]]


def _relative_ranks(values: np.ndarray) -> np.ndarray:
    """Where each value stands in its column, from 0 to 1; equal values in the middle of theirs."""
    columns = [
        (np.searchsorted(line, column, "left") + np.searchsorted(line, column, "right"))
        / (2 * len(line))
        for line, column in zip(np.sort(values, axis=0).T, values.T, strict=True)
    ]
    return np.column_stack(columns)

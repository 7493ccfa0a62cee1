"""Recognition by values: whose record stands in a release, whatever its link says.

    Recognition(original).of(public).rate

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

from tokumei.tables.attackers.candidates import consistent_vector
from tokumei.tables.attackers.gaps import filled
from tokumei.tables.attackers.sensitive import scales, sensitive_boxes
from tokumei.tables.data.guess import ABSTAIN, Guess, Knowledge
from tokumei.tables.data.table import Table

CROWD = 20
"""Among more people than this, nobody is recognised."""
STRANGERS = 500
CHANCE = 0.1
FACTORS = 1.05 ** np.arange(1, 90)
KEPT = 0.5
"""A column is kept verbatim if this share of its released cells stand in X, …"""
RARE = 3
"""… each with so few people."""
_BLOCK = 2_000_000
_SMALL = 2_000
_NEIGHBOURS = 300
_TIE = 1e-9
Pairs = tuple[np.ndarray, np.ndarray, np.ndarray]
"""Released rows, people, and by how much each of them is recognised in that row."""
Way = Callable[[np.ndarray], Iterator[Pairs]]


@dataclass(frozen=True, eq=False)
class Recognised:
    """What values show: the share of people found, and per row the one who is shown for certain."""

    rate: float
    person: np.ndarray = field(repr=False)


@dataclass(frozen=True, eq=False)
class Recognition:
    """The people of X, ready to be looked for in releases."""

    original: Table

    def of(self, public: Table) -> Recognised:
        """How many people the release shows."""
        boxes = sensitive_boxes(public, Knowledge(self.original))
        known, released = boxes.known, filled(boxes.low, boxes.known)
        scale = scales(known)
        known, released = known / scale, released / scale
        shares = np.zeros(self.original.rows)
        person = np.full(public.rows, ABSTAIN)
        for way in self._ways(public, known, released):
            open_rows = person == ABSTAIN
            for row, who, share in way(open_rows):
                np.maximum.at(shares, who, share)
                sure = share == 1.0
                person[row[sure]] = who[sure]
        return Recognised(min(float(shares.sum()) / public.rows, 1.0), person)

    def _ways(self, public: Table, known: np.ndarray, released: np.ndarray) -> list[Way]:
        """The ways of looking, the quickest first; each is told which rows are still open."""
        ways: list[Way] = [
            lambda rows: self._fitting(public, known, released, rows),
            lambda rows: iter([_of_rows(rows, verbatim_pairs(known, released))]),
            partial(self._near, known, released),
        ]
        if known.shape[1] > 1:
            ways.append(partial(self._near, _orders(known), _orders(released)))
        return ways

    def _near(self, known: np.ndarray, released: np.ndarray, asked: np.ndarray) -> Iterator[Pairs]:
        """The nearest of everybody."""
        rows = np.flatnonzero(asked)
        everybody = np.arange(len(known))
        for row, who, share in near_pairs(known, released[rows], everybody, self.factor):
            yield rows[row], who, share

    def _fitting(
        self, public: Table, known: np.ndarray, released: np.ndarray, asked: np.ndarray
    ) -> Iterator[Pairs]:
        """The nearest of those whose QI fit; a QI with one value in the release tells nothing."""
        varying = [q for q in self.original.schema.qi if public.frame[q].n_unique() > 1]
        if not varying:
            return
        found = consistent_vector(public.frame, self.original.frame, varying, strict=False)
        if not found.answered.any():  # no row fits, so that there is no group of candidates
            return
        alone = (np.diff(found.start) == 1)[found.group] & found.answered
        rows = np.flatnonzero(alone & asked)
        yield rows, found.rows[found.start[found.group[rows]]], np.ones(len(rows))
        factor = float(np.cbrt(self.factor))
        for rows, people in _groups(found, asked & ~alone):
            for row, who, share in near_pairs(known[people], released[rows], people, factor):
                yield rows[row], who, share

    @cached_property
    def factor(self) -> float:
        """How much nearer than the next is "by far" in this X."""
        known = self.original.numbers(self.original.schema.sa)
        points = known / scales(known)
        places = np.linspace(0, len(points) - 1, min(STRANGERS, len(points))).astype(np.int64)
        squares = cdist(points[places], points, "sqeuclidean")
        squares[np.arange(len(places)), places] = np.inf
        squares.partition(min(_NEIGHBOURS, len(points) - 1), axis=1)
        squares = squares[:, :_NEIGHBOURS]
        nearest = squares.min(axis=1)
        for factor in FACTORS:
            within = (squares <= (factor**2 * nearest + _TIE)[:, None]).sum(axis=1)
            if (1.0 / np.maximum(within, 1)).mean() <= CHANCE:
                return float(factor)
        return float(FACTORS[-1])


def near_pairs(
    known: np.ndarray, released: np.ndarray, people: np.ndarray, factor: float
) -> Iterator[Pairs]:
    """For each released point those known ones that are within `factor` of the nearest's distance.

    Matrix products in single precision find all that may be; distances are then computed anew.
    """
    if len(known) * len(released) <= _SMALL:
        row, who = (part.ravel() for part in np.indices((len(released), len(known))))
        yield _within(known, released, row, who, people, factor)
        return
    middle = known.mean(axis=0)
    single = (known - middle).astype(np.float32)
    lengths = (single * single).sum(axis=1)
    doubled = (-2.0 * single).T
    step = max(1, _BLOCK // len(known))
    for begin in range(0, len(released), step):
        block = released[begin : begin + step]
        row, who = _candidates(single, lengths, doubled, block - middle, factor)
        row, who, share = _within(known, block, row, who, people, factor)
        yield row + begin, who, share


def _candidates(
    single: np.ndarray, lengths: np.ndarray, doubled: np.ndarray, block: np.ndarray, factor: float
) -> tuple[np.ndarray, np.ndarray]:
    """Pairs that hold all within the factor, rounding allowed for; none of rows in a crowd."""
    norm = (block**2).sum(axis=1)
    squares = block.astype(np.float32) @ doubled
    squares += lengths
    least = squares.min(axis=1) + norm
    slack = 1e-5 * (np.sqrt(norm) + np.sqrt(np.maximum(least, 0))) ** 2
    limit = (factor**2 * (np.maximum(least, 0) + slack) + slack + _TIE - norm).astype(np.float32)
    within = squares <= limit[:, None]
    few = np.flatnonzero(np.count_nonzero(within, axis=1) <= 2 * CROWD)
    row, who = np.nonzero(within[few])
    return few[row], who


def _within(
    known: np.ndarray,
    released: np.ndarray,
    row: np.ndarray,
    who: np.ndarray,
    people: np.ndarray,
    factor: float,
) -> Pairs:
    """Those of the pairs that are within the factor of their row's nearest."""
    exact = ((released[row] - known[who]) ** 2).sum(axis=1)
    nearest = np.full(len(released), np.inf)
    np.minimum.at(nearest, row, exact)
    near = exact <= factor**2 * nearest[row] + _TIE
    return _shared(row[near], people[who[near]])


def _of_rows(asked: np.ndarray, pairs: Pairs) -> Pairs:
    row, who, share = pairs
    keep = asked[row]
    return row[keep], who[keep], share[keep]


def verbatim_pairs(known: np.ndarray, released: np.ndarray) -> Pairs:
    """Those whose cells a row has: at least half as many as the one who has most of them."""
    votes = [
        np.column_stack(pair)
        for pair in map(_same_cells, known.T, released.T)
        if len(np.unique(pair[0])) >= KEPT * len(released)
    ]
    if not votes:
        return _shared(np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64))
    pairs, count = np.unique(np.concatenate(votes), axis=0, return_counts=True)
    most = np.zeros(len(released), dtype=np.int64)
    np.maximum.at(most, pairs[:, 0], count)
    kept = pairs[2 * count >= most[pairs[:, 0]]]
    return _shared(kept[:, 0], kept[:, 1])


def _same_cells(known: np.ndarray, released: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Pairs of a released row and a person with the same cell, if few have it."""
    order = np.argsort(known, kind="stable")
    first = np.searchsorted(known[order], released, "left")
    number = np.searchsorted(known[order], released, "right") - first
    rows = np.flatnonzero((number > 0) & (number <= RARE))
    each = number[rows]
    inside = np.arange(each.sum()) - np.repeat(np.cumsum(each) - each, each)
    return np.repeat(rows, each), order[np.repeat(first[rows], each) + inside]


def _shared(row: np.ndarray, who: np.ndarray) -> Pairs:
    """Every row's people with equal shares; none where they are a crowd."""
    crowd = np.bincount(row)[row] if len(row) else row
    few = crowd <= CROWD
    return row[few], who[few], 1.0 / crowd[few]


def _groups(found: Guess, asked: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Released rows with one set of candidates, and these."""
    rows = np.flatnonzero(asked & found.answered)
    if not len(rows):
        return
    rows = rows[np.argsort(found.group[rows], kind="stable")]
    numbers, begin = np.unique(found.group[rows], return_index=True)
    for number, part in zip(numbers, np.split(rows, begin[1:]), strict=True):
        yield part, found.rows[found.start[number] : found.start[number + 1]]


def _orders(values: np.ndarray) -> np.ndarray:
    """Where each value stands in its column, from 0 to 1; equal values in the middle of theirs."""
    columns = [
        (np.searchsorted(line, column, "left") + np.searchsorted(line, column, "right"))
        / (2 * len(line))
        for line, column in zip(np.sort(values, axis=0).T, values.T, strict=True)
    ]
    return np.column_stack(columns)

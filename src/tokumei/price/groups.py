"""How large the groups of a candidate are: counted once, for every k and every price.

    groups = Groups(problem)
    view = groups.view(problem)              # or of another problem of the same people
    view.sizes(candidate).smallest_from(1)
    view.sizes(candidate).rows_below(5)

A deleted attribute is an absent one, so a candidate over some attributes is a marginal table. Every
table is rolled up from the smallest kept one that tells it, never from the rows again. Groups know
how patterns group values, not what they are called or cost.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from math import prod

import numpy as np

from tokumei.price.group_tables import (
    ABSENT,
    FINEST,
    Column,
    GroupTable,
    Partitions,
    Sizes,
    grouped,
    narrow,
    sizes_of,
)
from tokumei.price.problem import DELETE, Candidate, PriceProblem

MOST_KEPT = 3_000_000
"""Groups kept in tables beside the first, all together (about 20 bytes each)."""
A_TABLE = 100
"""What a table costs beside its groups, in groups."""
MOST_SIZES = 30_000
"""Candidates whose sizes are kept."""
MUCH_SMALLER = 16
"""A table of all values that is so many times smaller is made for others to use."""
SMALL = 20_000
"""A table of so few groups is rolled up at once; on the way from a larger one steps pay."""


class Groups:
    """Tables and sizes of candidates, kept for good; any number of threads may ask."""

    def __init__(self, people: PriceProblem) -> None:
        self._lock = threading.RLock()
        self._names = [one.name for one in people.attributes]
        sizes = [len(one.values) for one in people.attributes]
        self._partitions = [Partitions(size) for size in sizes]
        self._sizes: dict[Candidate, Sizes] = {}
        self._tables: list[GroupTable] = []
        self._candidates = np.zeros((64, len(sizes)), dtype=np.int16)
        self._rows = np.zeros(64, dtype=np.int64)
        self._kept = -len(people.counts)
        words = tuple(
            codes.astype(narrow(size)) for size, codes in zip(sizes, people.codes.T, strict=True)
        )
        self._add(GroupTable((FINEST,) * len(sizes), words, people.counts))
        for j, one in enumerate(people.attributes):
            self._add(_alone(j, len(sizes), one.counts))

    def view(self, problem: PriceProblem) -> GroupView:
        """The groups as a problem of the same people numbers its attributes and patterns."""
        columns = [self._names.index(one.name) for one in problem.attributes]
        with self._lock:
            places = [
                [self._partitions[column].place(pattern.up) for pattern in one.patterns]
                for column, one in zip(columns, problem.attributes, strict=True)
            ]
        return GroupView(self, len(self._names), columns, places)

    def sizes(self, candidate: Candidate) -> Sizes:
        """The group sizes of a candidate (of partitions)."""
        found = self._sizes.get(candidate)
        if found is None:
            if len(self._sizes) >= MOST_SIZES:
                self._sizes.clear()
            found = self._sizes[candidate] = sizes_of(self.table(candidate).counts)
        return found

    def table(self, candidate: Candidate) -> GroupTable:
        """The groups of a candidate (of partitions)."""
        with self._lock:
            source = self._nearest(candidate)
            if source.candidate == candidate:
                return source
            for step in self._steps(candidate, source.rows):
                made = self._rolled_up(self._nearest(step), step)
                self._keep(made)
                source = min(source, made, key=lambda table: table.rows)
            made = self._rolled_up(source, candidate)
            if 2 * made.rows <= source.rows:
                self._keep(made)
            return made

    def _keep(self, table: GroupTable) -> None:
        """Keep a table for later; when there are too many the largest go, smaller are used more."""
        if self._kept + table.rows + A_TABLE > MOST_KEPT:
            base, *others = self._tables
            self._tables, self._kept = [], -base.rows
            self._add(base)
            for one in sorted(others, key=lambda one: one.rows):
                if self._kept + one.rows + A_TABLE <= MOST_KEPT / 2:
                    self._add(one)
        self._add(table)

    def _add(self, table: GroupTable) -> None:
        place = len(self._tables)
        if place == len(self._rows):
            self._candidates = np.concatenate([self._candidates, self._candidates])
            self._rows = np.concatenate([self._rows, self._rows])
        self._candidates[place], self._rows[place] = table.candidate, table.rows
        self._tables.append(table)
        self._kept += table.rows + A_TABLE

    def _nearest(self, candidate: Candidate) -> GroupTable:
        """The smallest kept table that tells the candidate's groups."""
        count = len(self._tables)
        tells = np.ones(count, dtype=bool)
        for j, (partitions, q) in enumerate(zip(self._partitions, candidate, strict=True)):
            if q != ABSENT:
                tells &= partitions.telling[:, q][self._candidates[:count, j]]
        able = np.flatnonzero(tells)
        return self._tables[int(able[np.argmin(self._rows[able])])]

    def _steps(self, candidate: Candidate, rows: int) -> Iterator[Candidate]:
        """A table worth making first, because other candidates will need it too."""
        if rows <= SMALL:
            return
        values = [partitions.sizes[FINEST] for partitions in self._partitions]
        used = {j for j, q in enumerate(candidate) if q != ABSENT}
        if prod(values[j] for j in used) <= rows / MUCH_SMALLER:
            yield self._widened(used, values, rows)
            return
        for wide in (range(len(candidate)), used):
            step = tuple(
                self._middle(j, q) if j in wide else ABSENT for j, q in enumerate(candidate)
            )
            sizes = [p.sizes[q] for p, q in zip(self._partitions, step, strict=True) if q != ABSENT]
            if prod(sizes) <= rows:
                yield step
                return

    def _widened(self, used: set[int], values: list[int], rows: int) -> Candidate:
        """All values of the attributes, and of more while the table stays small."""
        chosen, cells = set(used), prod(values[j] for j in used)
        for j in sorted(set(range(len(values))) - chosen, key=lambda j: values[j]):
            if cells * values[j] > rows / MUCH_SMALLER:
                break
            chosen.add(j)
            cells *= values[j]
        return tuple(FINEST if j in chosen else ABSENT for j in range(len(values)))

    def _middle(self, j: int, q: int) -> int:
        partitions = self._partitions[j]
        told = q == ABSENT or bool(partitions.telling[partitions.middle, q])
        return partitions.middle if told else q

    def _rolled_up(self, table: GroupTable, candidate: Candidate) -> GroupTable:
        columns: list[Column | None] = []
        for j, (partitions, q) in enumerate(zip(self._partitions, candidate, strict=True)):
            finer = table.words[j]
            if q == ABSENT or finer is None:
                columns.append(None)
                continue
            p = table.candidate[j]
            columns.append((finer, None if p == q else partitions.told(p, q), partitions.sizes[q]))
        return grouped(candidate, columns, table)


class GroupView:
    """Groups by the attributes and patterns of one problem, which may leave attributes out."""

    def __init__(
        self, groups: Groups, width: int, columns: list[int], places: list[list[int]]
    ) -> None:
        self._groups, self._width, self._columns, self._places = groups, width, columns, places

    def sizes(self, candidate: Candidate) -> Sizes:
        """The group sizes of a candidate."""
        return self._groups.sizes(self.common(candidate))

    def words(self, candidate: Candidate) -> tuple[list[np.ndarray | None], np.ndarray]:
        """Every group's words, numbered as they first occur among the values, and its size."""
        table = self._groups.table(self.common(candidate))
        return [table.words[column] for column in self._columns], table.counts

    def common(self, candidate: Candidate) -> Candidate:
        """The candidate by partitions: equal for candidates of any problem that group alike."""
        found = [ABSENT] * self._width
        for column, places, p in zip(self._columns, self._places, candidate, strict=True):
            if p != DELETE:
                found[column] = places[p]
        return tuple(found)


def _alone(j: int, width: int, counts: np.ndarray) -> GroupTable:
    """One attribute's values."""
    candidate = tuple(FINEST if place == j else ABSENT for place in range(width))
    words = np.arange(len(counts))
    return GroupTable(
        candidate, tuple(words if place == j else None for place in range(width)), counts
    )

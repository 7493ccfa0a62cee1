"""Computes group sizes of candidates, once for every k and price.

    groups = GroupCounter(problem)
    view = groups.view(problem)              # or of another problem of the same people
    view.sizes(candidate).smallest_number_from(1)
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

from tokumei.apps.price.group_counts import (
    ABSENT_ATTRIBUTE,
    FINEST_PARTITION,
    AttributePartitions,
    GroupSizes,
    GroupTable,
    RollUpColumn,
    count_group_sizes,
    roll_up,
    smallest_int_type,
)
from tokumei.apps.price.problem import DELETE_INDEX, Candidate, PriceProblem

MAX_KEPT_GROUPS = 3_000_000
"""Groups kept in tables beside the first, all together (about 20 bytes each)."""
TABLE_OVERHEAD = 100
"""What a table costs beside its groups, in groups."""
MAX_KEPT_SIZES = 30_000
"""Candidates whose sizes are kept."""
MIN_SHRINK_FACTOR = 16
"""A table of all values that is so many times smaller is made for others to use."""
SMALL_TABLE_ROWS = 20_000
"""A table of so few groups is rolled up at once; on the way from a larger one steps pay."""


class GroupCounter:
    """Tables and sizes of candidates, kept for good; any number of threads may ask."""

    def __init__(self, people: PriceProblem) -> None:
        self._lock = threading.RLock()
        self._names = [attribute.name for attribute in people.attributes]
        sizes = [len(attribute.values) for attribute in people.attributes]
        self._partitions = [AttributePartitions(size) for size in sizes]
        self._sizes: dict[Candidate, GroupSizes] = {}
        self._tables: list[GroupTable] = []
        self._candidates = np.zeros((64, len(sizes)), dtype=np.int16)
        self._rows = np.zeros(64, dtype=np.int64)
        self._kept_groups = -len(people.counts)
        words = tuple(
            codes.astype(smallest_int_type(size))
            for size, codes in zip(sizes, people.codes.T, strict=True)
        )
        self._append_table(GroupTable((FINEST_PARTITION,) * len(sizes), words, people.counts))
        for attribute_index, attribute in enumerate(people.attributes):
            self._append_table(
                _single_attribute_table(attribute_index, len(sizes), attribute.counts)
            )

    def view(self, problem: PriceProblem) -> GroupView:
        """The groups as a problem of the same people numbers its attributes and patterns."""
        columns = [self._names.index(attribute.name) for attribute in problem.attributes]
        with self._lock:
            partition_indexes = [
                [self._partitions[column].place(pattern.up) for pattern in attribute.patterns]
                for column, attribute in zip(columns, problem.attributes, strict=True)
            ]
        return GroupView(self, len(self._names), columns, partition_indexes)

    def sizes(self, candidate: Candidate) -> GroupSizes:
        """The group sizes of a candidate (of partitions)."""
        group_sizes = self._sizes.get(candidate)
        if group_sizes is None:
            if len(self._sizes) >= MAX_KEPT_SIZES:
                self._sizes.clear()
            group_sizes = self._sizes[candidate] = count_group_sizes(
                self.group_table(candidate).counts
            )
        return group_sizes

    def group_table(self, candidate: Candidate) -> GroupTable:
        """The groups of a candidate (of partitions)."""
        with self._lock:
            source = self._smallest_source(candidate)
            if source.candidate == candidate:
                return source
            for step in self._intermediate_candidates(candidate, source.rows):
                rolled_up = self._roll_up_table(self._smallest_source(step), step)
                self._keep_table(rolled_up)
                source = min(source, rolled_up, key=lambda table: table.rows)
            rolled_up = self._roll_up_table(source, candidate)
            if 2 * rolled_up.rows <= source.rows:
                self._keep_table(rolled_up)
            return rolled_up

    def _keep_table(self, table: GroupTable) -> None:
        """Keep a table for later; when there are too many the largest go, smaller are used more."""
        if self._kept_groups + table.rows + TABLE_OVERHEAD > MAX_KEPT_GROUPS:
            base, *other_tables = self._tables
            self._tables, self._kept_groups = [], -base.rows
            self._append_table(base)
            for kept_table in sorted(other_tables, key=lambda kept_table: kept_table.rows):
                if self._kept_groups + kept_table.rows + TABLE_OVERHEAD <= MAX_KEPT_GROUPS / 2:
                    self._append_table(kept_table)
        self._append_table(table)

    def _append_table(self, table: GroupTable) -> None:
        index = len(self._tables)
        if index == len(self._rows):
            self._candidates = np.concatenate([self._candidates, self._candidates])
            self._rows = np.concatenate([self._rows, self._rows])
        self._candidates[index], self._rows[index] = table.candidate, table.rows
        self._tables.append(table)
        self._kept_groups += table.rows + TABLE_OVERHEAD

    def _smallest_source(self, candidate: Candidate) -> GroupTable:
        """The smallest kept table that tells the candidate's groups."""
        count = len(self._tables)
        is_source = np.ones(count, dtype=bool)
        for attribute_index, (partitions, partition) in enumerate(
            zip(self._partitions, candidate, strict=True)
        ):
            if partition != ABSENT_ATTRIBUTE:
                is_source &= partitions.telling[:, partition][
                    self._candidates[:count, attribute_index]
                ]
        sources = np.flatnonzero(is_source)
        return self._tables[int(sources[np.argmin(self._rows[sources])])]

    def _intermediate_candidates(self, candidate: Candidate, rows: int) -> Iterator[Candidate]:
        """A table worth making first, because other candidates will need it too."""
        if rows <= SMALL_TABLE_ROWS:
            return
        values = [partitions.sizes[FINEST_PARTITION] for partitions in self._partitions]
        present = {j for j, q in enumerate(candidate) if q != ABSENT_ATTRIBUTE}
        if prod(values[j] for j in present) <= rows / MIN_SHRINK_FACTOR:
            yield self._widen_candidate(present, values, rows)
            return
        for included in (range(len(candidate)), present):
            step = tuple(
                self._middle_partition(j, q) if j in included else ABSENT_ATTRIBUTE
                for j, q in enumerate(candidate)
            )
            sizes = [
                p.sizes[q]
                for p, q in zip(self._partitions, step, strict=True)
                if q != ABSENT_ATTRIBUTE
            ]
            if prod(sizes) <= rows:
                yield step
                return

    def _widen_candidate(self, used: set[int], values: list[int], rows: int) -> Candidate:
        """All values of the attributes, and of more while the table stays small."""
        chosen, cells = set(used), prod(values[j] for j in used)
        for j in sorted(set(range(len(values))) - chosen, key=lambda j: values[j]):
            if cells * values[j] > rows / MIN_SHRINK_FACTOR:
                break
            chosen.add(j)
            cells *= values[j]
        return tuple(
            FINEST_PARTITION if j in chosen else ABSENT_ATTRIBUTE for j in range(len(values))
        )

    def _middle_partition(self, j: int, q: int) -> int:
        partitions = self._partitions[j]
        is_refined = q == ABSENT_ATTRIBUTE or bool(partitions.telling[partitions.middle, q])
        return partitions.middle if is_refined else q

    def _roll_up_table(self, table: GroupTable, candidate: Candidate) -> GroupTable:
        columns: list[RollUpColumn | None] = []
        for attribute_index, (partitions, partition) in enumerate(
            zip(self._partitions, candidate, strict=True)
        ):
            finer = table.words[attribute_index]
            if partition == ABSENT_ATTRIBUTE or finer is None:
                columns.append(None)
                continue
            source_partition = table.candidate[attribute_index]
            columns.append(
                (
                    finer,
                    None
                    if source_partition == partition
                    else partitions.told(source_partition, partition),
                    partitions.sizes[partition],
                )
            )
        return roll_up(candidate, columns, table)


class GroupView:
    """Groups by the attributes and patterns of one problem, which may leave attributes out."""

    def __init__(
        self, groups: GroupCounter, width: int, columns: list[int], places: list[list[int]]
    ) -> None:
        self._groups, self._width, self._columns, self._partition_indexes = (
            groups,
            width,
            columns,
            places,
        )

    def sizes(self, candidate: Candidate) -> GroupSizes:
        """The group sizes of a candidate."""
        return self._groups.sizes(self.common(candidate))

    def words_and_counts(self, candidate: Candidate) -> tuple[list[np.ndarray | None], np.ndarray]:
        """Every group's words, numbered as they first occur among the values, and its size."""
        table = self._groups.group_table(self.common(candidate))
        return [table.words[column] for column in self._columns], table.counts

    def common(self, candidate: Candidate) -> Candidate:
        """The candidate by partitions: equal for candidates of any problem that group alike."""
        partition_candidate = [ABSENT_ATTRIBUTE] * self._width
        for column, places, pattern in zip(
            self._columns, self._partition_indexes, candidate, strict=True
        ):
            if pattern != DELETE_INDEX:
                partition_candidate[column] = places[pattern]
        return tuple(partition_candidate)


def _single_attribute_table(j: int, width: int, counts: np.ndarray) -> GroupTable:
    """One attribute's values."""
    candidate = tuple(
        FINEST_PARTITION if place == j else ABSENT_ATTRIBUTE for place in range(width)
    )
    words = np.arange(len(counts))
    return GroupTable(
        candidate, tuple(words if place == j else None for place in range(width)), counts
    )

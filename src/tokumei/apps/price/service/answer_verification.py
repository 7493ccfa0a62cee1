"""Recounts an answer from the distinct tuples, independently of the search.

recount = Recount.of(problem, answer.candidate)
recount.require(answer, question)         # ClaimError unless everything it says holds
recount.sample(5, question)               # rows of the largest groups
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import polars as pl

from tokumei.apps.price.problem import (
    DELETE_INDEX,
    Candidate,
    PriceProblem,
    Question,
    RecodingAnswer,
    RecodingPattern,
)
from tokumei.core.errors import ClaimError

PEOPLE_COLUMN, SOMEONE_COLUMN = "people", "someone"
MAX_KEY = 1 << 62
MAX_KEPT_GROUPS = 1_000_000
"""Groups kept, all together (24 bytes each)."""

_PartitionKey = tuple[int, tuple[tuple[int, bytes], ...]]


@dataclass(frozen=True, eq=False)
class Recount:
    """The groups of a candidate: their `people`, and the number of `someone`'s tuple in each."""

    problem: PriceProblem
    candidate: Candidate
    groups: pl.DataFrame

    def require(self, answer: RecodingAnswer, question: Question) -> None:
        """Fail unless groups, people left out and values are as the answer says and was asked."""
        released = self._groups_of_k(question.k)
        left_out = self.problem.rows - int(released[PEOPLE_COLUMN].sum())
        smallest = int(str(released[PEOPLE_COLUMN].min() or 0))
        worth = self._recompute_worth(released)
        holds = (
            left_out <= question.suppression * self.problem.rows + 1e-9
            and (smallest, left_out) == (answer.k, answer.suppressed)
            and worth == answer.by_attribute
            and sum(worth) == answer.worth <= answer.bound
            and self._meets_constraints(question, worth)
        )
        if not holds:
            raise ClaimError("the verifier refused the answer, so it is not given")

    def sample(self, most: int, question: Question) -> dict[str, object]:
        """Rows of the largest groups, as they would be released; no group below k."""
        keys = [name for name in self.groups.columns if name.startswith("key")]
        ascending_flags = [False, *(True for _ in keys)]
        largest = self._groups_of_k(question.k).top_k(
            most, by=[PEOPLE_COLUMN, *keys], reverse=ascending_flags
        )
        rows = largest.sort(
            [PEOPLE_COLUMN, *keys], descending=[not ascending for ascending in ascending_flags]
        )
        names = [ascending.name for ascending in self.problem.attributes]
        asked_indexes = [
            attribute_index for attribute_index, name in enumerate(names) if question.asks(name)
        ]
        return {
            "columns": [names[attribute_index] for attribute_index in asked_indexes],
            "rows": [
                {"cells": self._released_cells(someone, asked_indexes), PEOPLE_COLUMN: people}
                for people, someone in rows.select(PEOPLE_COLUMN, SOMEONE_COLUMN).iter_rows()
            ],
        }

    def _groups_of_k(self, k: int) -> pl.DataFrame:
        return self.groups.filter(pl.col(PEOPLE_COLUMN) >= k)

    def _meets_constraints(self, question: Question, worth: tuple[int, ...]) -> bool:
        choices = zip(self.problem.attributes, self.candidate, worth, strict=True)
        return all(
            (pattern_index != DELETE_INDEX or attribute.name not in question.stay)
            and (
                pattern_index == DELETE_INDEX
                or (attribute.name not in question.go and question.asks(attribute.name))
            )
            and value >= round(question.least.get(attribute.name, 0) * 10**self.problem.decimals)
            for attribute, pattern_index, value in choices
        )

    def _recompute_worth(self, released: pl.DataFrame) -> tuple[int, ...]:
        people, someone = (released[name].to_numpy() for name in (PEOPLE_COLUMN, SOMEONE_COLUMN))
        worth = [0] * len(self.candidate)
        for j, pattern in _chosen_patterns(self.problem, self.candidate):
            words = pattern.up[self.problem.codes[someone, j]]
            worth[j] = int(people @ pattern.prices[words])
        return tuple(worth)

    def _released_cells(self, someone: int, asked_indexes: list[int]) -> list[str | None]:
        cells: list[str | None] = [None] * len(self.candidate)
        for attribute_index, pattern in _chosen_patterns(self.problem, self.candidate):
            cells[attribute_index] = str(
                pattern.words[int(pattern.up[self.problem.codes[someone, attribute_index]])]
            )
        return [cells[attribute_index] for attribute_index in asked_indexes]


class RecountCache:
    """Recounts of the same people; the latest groups are kept, since they suit any k and price."""

    def __init__(self) -> None:
        self._groups_by_partition: OrderedDict[_PartitionKey, tuple[np.ndarray, pl.DataFrame]] = (
            OrderedDict()
        )
        self._group_count = 0
        self._lock = threading.Lock()

    def of(self, problem: PriceProblem, candidate: Candidate) -> Recount:
        """A candidate's groups, whatever the search found out about them."""
        key = _partition_key(problem, candidate)
        with self._lock:
            if key in self._groups_by_partition:
                self._groups_by_partition.move_to_end(key)
                return Recount(problem, candidate, self._groups_by_partition[key][1])
        groups = _count_groups(problem, candidate)
        with self._lock:
            if key not in self._groups_by_partition:
                # The tuples are kept too, so that their id stays their own.
                self._groups_by_partition[key] = (problem.codes, groups)
                self._group_count += groups.height
            while self._group_count > MAX_KEPT_GROUPS:
                self._group_count -= self._groups_by_partition.popitem(last=False)[1][1].height
        return Recount(problem, candidate, groups)


def _partition_key(problem: PriceProblem, candidate: Candidate) -> _PartitionKey:
    """What the groups depend on: the tuples, and which values every pattern puts together."""
    return id(problem.codes), tuple(
        (j, pattern.up.tobytes()) for j, pattern in _chosen_patterns(problem, candidate)
    )


def _count_groups(problem: PriceProblem, candidate: Candidate) -> pl.DataFrame:
    """Recode every distinct tuple and count the people of equal ones."""
    keys = {f"key{n}": key for n, key in enumerate(_tuple_keys(problem, candidate))}
    tuples = pl.DataFrame(
        {**keys, PEOPLE_COLUMN: problem.counts, SOMEONE_COLUMN: np.arange(len(problem.counts))}
    )
    return tuples.group_by(list(keys)).agg(
        pl.col(PEOPLE_COLUMN).sum(), pl.col(SOMEONE_COLUMN).first()
    )


def _chosen_patterns(
    problem: PriceProblem, candidate: Candidate
) -> Iterator[tuple[int, RecodingPattern]]:
    for attribute_index, (attribute, pattern_index) in enumerate(
        zip(problem.attributes, candidate, strict=True)
    ):
        if pattern_index != DELETE_INDEX:
            yield attribute_index, attribute.patterns[pattern_index]


def _tuple_keys(problem: PriceProblem, candidate: Candidate) -> Iterator[np.ndarray]:
    """The words of every tuple as a number, or as few as they fit into."""
    key, used = np.zeros(len(problem.counts), dtype=np.int64), 1
    for j, pattern in _chosen_patterns(problem, candidate):
        size = len(pattern.words)
        if used * size >= MAX_KEY:
            yield key
            key, used = np.zeros(len(problem.counts), dtype=np.int64), 1
        key *= size
        key += pattern.up.astype(np.int32)[problem.codes[:, j]]
        used *= size
    yield key

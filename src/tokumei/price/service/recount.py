"""An answer counted again from the distinct tuples, independently of the search that found it.

recount = Recount.of(problem, answer.candidate)
recount.require(answer, question)         # ClaimError unless everything it says holds
recount.sample(5, question)               # rows of the largest groups
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from tokumei.core.errors import ClaimError
from tokumei.price.problem import DELETE, Answer, Candidate, Pattern, PriceProblem, Question

PEOPLE, SOMEONE = "people", "someone"
MOST_KEYS = 1 << 62
MOST_GROUPS = 1_000_000
"""Groups kept, all together (24 bytes each)."""

_Partition = tuple[int, tuple[tuple[int, bytes], ...]]


@dataclass(frozen=True, eq=False)
class Recount:
    """The groups of a candidate: their `people`, and the number of `someone`'s tuple in each."""

    problem: PriceProblem
    candidate: Candidate
    groups: pl.DataFrame

    def require(self, answer: Answer, question: Question) -> None:
        """Fail unless groups, people left out and values are as the answer says and was asked."""
        released = self._released(question.k)
        left_out = self.problem.rows - int(released[PEOPLE].sum())
        smallest = int(str(released[PEOPLE].min() or 0))
        worth = self._worth(released)
        holds = (
            left_out <= question.suppression * self.problem.rows + 1e-9
            and (smallest, left_out) == (answer.k, answer.suppressed)
            and worth == answer.by_attribute
            and sum(worth) == answer.worth <= answer.bound
            and self._as_wanted(question, worth)
        )
        if not holds:
            raise ClaimError(
                "the verifier refused the answer, so it is not given",
                "検証で一致しなかったため、回答しません",
            )

    def sample(self, most: int, question: Question) -> dict[str, Any]:
        """Rows of the largest groups, as they would be released; no group below k."""
        keys = [name for name in self.groups.columns if name.startswith("key")]
        up = [False, *(True for _ in keys)]
        largest = self._released(question.k).top_k(most, by=[PEOPLE, *keys], reverse=up)
        rows = largest.sort([PEOPLE, *keys], descending=[not one for one in up])
        names = [one.name for one in self.problem.attributes]
        asked = [j for j, name in enumerate(names) if question.asks(name)]
        return {
            "columns": [names[j] for j in asked],
            "rows": [
                {"cells": self._cells(someone, asked), PEOPLE: people}
                for people, someone in rows.select(PEOPLE, SOMEONE).iter_rows()
            ],
        }

    def _released(self, k: int) -> pl.DataFrame:
        return self.groups.filter(pl.col(PEOPLE) >= k)

    def _as_wanted(self, question: Question, worth: tuple[int, ...]) -> bool:
        chosen = zip(self.problem.attributes, self.candidate, worth, strict=True)
        return all(
            (place != DELETE or one.name not in question.stay)
            and (place == DELETE or (one.name not in question.go and question.asks(one.name)))
            and value >= round(question.least.get(one.name, 0) * 10**self.problem.decimals)
            for one, place, value in chosen
        )

    def _worth(self, released: pl.DataFrame) -> tuple[int, ...]:
        people, someone = (released[name].to_numpy() for name in (PEOPLE, SOMEONE))
        worth = [0] * len(self.candidate)
        for j, pattern in _patterns(self.problem, self.candidate):
            words = pattern.up[self.problem.codes[someone, j]]
            worth[j] = int(people @ pattern.prices[words])
        return tuple(worth)

    def _cells(self, someone: int, asked: list[int]) -> list[str | None]:
        cells: list[str | None] = [None] * len(self.candidate)
        for j, pattern in _patterns(self.problem, self.candidate):
            cells[j] = str(pattern.words[int(pattern.up[self.problem.codes[someone, j]])])
        return [cells[j] for j in asked]


class Recounts:
    """Recounts of the same people; the latest groups are kept, since they suit any k and price."""

    def __init__(self) -> None:
        self._kept: OrderedDict[_Partition, tuple[np.ndarray, pl.DataFrame]] = OrderedDict()
        self._groups = 0
        self._lock = threading.Lock()

    def of(self, problem: PriceProblem, candidate: Candidate) -> Recount:
        """A candidate's groups, whatever the search found out about them."""
        key = _partition(problem, candidate)
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return Recount(problem, candidate, self._kept[key][1])
        groups = _count(problem, candidate)
        with self._lock:
            if key not in self._kept:
                # The tuples are kept too, so that their id stays their own.
                self._kept[key] = (problem.codes, groups)
                self._groups += groups.height
            while self._groups > MOST_GROUPS:
                self._groups -= self._kept.popitem(last=False)[1][1].height
        return Recount(problem, candidate, groups)


def _partition(problem: PriceProblem, candidate: Candidate) -> _Partition:
    """What the groups depend on: the tuples, and which values every pattern puts together."""
    return id(problem.codes), tuple(
        (j, pattern.up.tobytes()) for j, pattern in _patterns(problem, candidate)
    )


def _count(problem: PriceProblem, candidate: Candidate) -> pl.DataFrame:
    """Recode every distinct tuple and count the people of equal ones."""
    keys = {f"key{n}": key for n, key in enumerate(_keys(problem, candidate))}
    tuples = pl.DataFrame({**keys, PEOPLE: problem.counts, SOMEONE: np.arange(len(problem.counts))})
    return tuples.group_by(list(keys)).agg(pl.col(PEOPLE).sum(), pl.col(SOMEONE).first())


def _patterns(problem: PriceProblem, candidate: Candidate) -> Iterator[tuple[int, Pattern]]:
    for j, (one, place) in enumerate(zip(problem.attributes, candidate, strict=True)):
        if place != DELETE:
            yield j, one.patterns[place]


def _keys(problem: PriceProblem, candidate: Candidate) -> Iterator[np.ndarray]:
    """The words of every tuple as a number, or as few as they fit into."""
    key, used = np.zeros(len(problem.counts), dtype=np.int64), 1
    for j, pattern in _patterns(problem, candidate):
        size = len(pattern.words)
        if used * size >= MOST_KEYS:
            yield key
            key, used = np.zeros(len(problem.counts), dtype=np.int64), 1
        key *= size
        key += pattern.up.astype(np.int32)[problem.codes[:, j]]
        used *= size
    yield key

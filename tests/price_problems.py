"""Random price problems, and the slow references they are solved by."""

from __future__ import annotations

import itertools

import numpy as np
import polars as pl

from tokumei.price.problem import DELETE, Attribute, Candidate, Pattern, PriceProblem
from tokumei.price.question import Question


def random_problem(rng: np.random.Generator, *, attributes: int, rows: int = 40) -> PriceProblem:
    """Few values, patterns nested and not, many equal prices."""
    frame = np.column_stack(
        [rng.integers(rng.integers(2, 6), size=rows) for _ in range(attributes)]
    )
    made = []
    for j in range(attributes):
        values, counts = np.unique(frame[:, j], return_counts=True)
        frame[:, j] = np.searchsorted(values, frame[:, j])
        original = np.arange(len(values))
        ups = [
            original,
            *(
                rng.integers(1, len(values) + 1, size=len(values))
                for _ in range(rng.integers(0, 4))
            ),
        ]
        names = ["original", *rng.permutation(["a", "b", "c", "z"])[: len(ups) - 1]]
        made.append(
            Attribute(f"x{j}", pl.Series(values), counts, tuple(map(_pattern(rng), names, ups)))
        )
    codes, counts = np.unique(frame, axis=0, return_counts=True)
    return PriceProblem(tuple(made), codes, counts)


def _pattern(rng: np.random.Generator):  # type: ignore[no-untyped-def]
    def make(name: str, up: np.ndarray) -> Pattern:
        words, places = np.unique(up, return_inverse=True)
        prices = rng.integers(0, rng.choice([2, 5, 100]), size=len(words))
        return Pattern(str(name), places, pl.Series([f"{name}{word}" for word in words]), prices)

    return make


def every_answer(problem: PriceProblem, question: Question) -> list[tuple[int, Candidate]]:
    """All feasible candidates with their real worth, best first: the exhaustive search."""
    found = []
    allowed = question.allowed(problem)
    for candidate in itertools.product(*allowed):
        worth = slow_worth(problem, candidate, question)
        if worth is not None:
            names = tuple(problem.names(candidate).values())
            found.append((-sum(worth), -problem.words(candidate), names, candidate))
    return [(-worth, candidate) for worth, _, _, candidate in sorted(found)]


def slow_worth(problem: PriceProblem, candidate: Candidate, question: Question) -> list[int] | None:
    """The worth per attribute, row by row; None if the candidate is not allowed."""
    groups: dict[tuple[int, ...], int] = {}
    people = list(zip(problem.codes.tolist(), problem.counts.tolist(), strict=True))
    for codes, count in people:
        groups[_words(problem, candidate, codes)] = (
            groups.get(_words(problem, candidate, codes), 0) + count
        )
    dropped = sum(size for size in groups.values() if size < question.k)
    if dropped > question.suppression * problem.rows + 1e-9:
        return None
    worth = [0] * len(candidate)
    for codes, count in people:
        if groups[_words(problem, candidate, codes)] < question.k:
            continue
        for j, (one, place) in enumerate(zip(problem.attributes, candidate, strict=True)):
            if place != DELETE:
                pattern = one.patterns[place]
                worth[j] += count * int(pattern.prices[pattern.up[codes[j]]])
    least = [question.least.get(one.name, 0) for one in problem.attributes]
    return worth if all(w >= low for w, low in zip(worth, least, strict=True)) else None


def _words(problem: PriceProblem, candidate: Candidate, codes: list[int]) -> tuple[int, ...]:
    chosen = zip(problem.attributes, candidate, codes, strict=True)
    return tuple(-1 if p == DELETE else int(one.patterns[p].up[code]) for one, p, code in chosen)

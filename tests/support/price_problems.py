"""Random price problems, and the slow references they are solved by."""

from __future__ import annotations

import itertools

import numpy as np
import polars as pl

from tokumei.apps.price.problem import (
    DELETE_INDEX,
    Candidate,
    PricedAttribute,
    PriceProblem,
    Question,
    RecodingPattern,
)


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
            PricedAttribute(
                f"x{j}", pl.Series(values), counts, tuple(map(_pattern(rng), names, ups))
            )
        )
    codes, counts = np.unique(frame, axis=0, return_counts=True)
    return PriceProblem(tuple(made), codes, counts)


def _pattern(rng: np.random.Generator):
    def make(name: str, up: np.ndarray) -> RecodingPattern:
        words, places = np.unique(up, return_inverse=True)
        prices = rng.integers(0, rng.choice([2, 5, 100]), size=len(words))
        return RecodingPattern(
            str(name), places, pl.Series([f"{name}{word}" for word in words]), prices
        )

    return make


def every_answer(problem: PriceProblem, question: Question) -> list[tuple[int, Candidate]]:
    """All feasible candidates with their real worth, best first: the exhaustive search."""
    found = []
    cells = every_cell(problem)
    for candidate in itertools.product(*question.allowed(problem)):
        worth = slow_worth(problem, candidate, question, cells)
        if worth is not None:
            names = tuple(problem.pattern_names(candidate).values())
            found.append((-sum(worth), -problem.count_words(candidate), names, candidate))
    return [(-worth, candidate) for worth, _, _, candidate in sorted(found)]


Cells = dict[tuple[int, int], list[tuple[int, int]]]


def every_cell(problem: PriceProblem) -> Cells:
    """By attribute and pattern: every tuple's word, and the value of its people."""
    counts = problem.counts.tolist()
    return {
        (j, p): [
            (int(pattern.up[code]), count * int(pattern.prices[pattern.up[code]]))
            for code, count in zip(problem.codes[:, j].tolist(), counts, strict=True)
        ]
        for j, one in enumerate(problem.attributes)
        for p, pattern in enumerate(one.patterns)
    }


def slow_worth(
    problem: PriceProblem, candidate: Candidate, question: Question, cells: Cells
) -> list[int] | None:
    """The worth per attribute, tuple by tuple; None if the candidate is not allowed."""
    counts = problem.counts.tolist()
    chosen = [cells[j, p] for j, p in enumerate(candidate) if p != DELETE_INDEX]
    tuples = [tuple(word for word, _ in row) for row in zip(*chosen, strict=True)]
    tuples = tuples or [()] * len(counts)
    sizes: dict[tuple[int, ...], int] = {}
    for words, count in zip(tuples, counts, strict=True):
        sizes[words] = sizes.get(words, 0) + count
    dropped = sum(size for size in sizes.values() if size < question.k)
    if dropped > question.suppression * problem.rows + 1e-9 or dropped == problem.rows:
        return None
    kept = [t for t, words in enumerate(tuples) if sizes[words] >= question.k]
    worth = [
        0 if p == DELETE_INDEX else sum(cells[j, p][t][1] for t in kept)
        for j, p in enumerate(candidate)
    ]
    lost = question.most_lost
    least = [
        max(
            question.least.get(one.name, 0),
            one.worth[one.place("original")] * (1 - lost.get(one.name, 1)) - 1e-9,
        )
        for one in problem.attributes
    ]
    return worth if all(w >= low for w, low in zip(worth, least, strict=True)) else None


def sempb(problem: PriceProblem, k: int) -> tuple[int, Candidate] | None:
    """The paper's loop, read as intended.

    All combinations with their total price in a table R, sorted by price; take the best row, test
    k, else the next. (As printed, R ranks single attributes, and `limit num, 1` with num = 1 skips
    the best row.) Equal prices come in the order that the search's own rule gives.
    """
    cells = every_cell(problem)
    places = [[*range(len(one.patterns)), DELETE_INDEX] for one in problem.attributes]
    table = sorted(
        itertools.product(*places),
        key=lambda row: (
            -problem.worth(row),
            -problem.count_words(row),
            tuple(problem.pattern_names(row).values()),
        ),
    )
    for row in table:
        if slow_worth(problem, row, Question(k=k), cells) is not None:
            return problem.worth(row), row
    return None

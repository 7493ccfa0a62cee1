"""Summarizes a price list on a population, as the tables of the published experiment.

    attribute_table(problem)      # Table 4: words, k, value and search priority of every attribute
    pattern_table(problem)        # Table 6: words, k and counts of every pattern
    word_table(problem, "年齢", "decades")   # Table 1: people, price and value of every word
    combinations([10, 8, 47])     # Figure 2: how many groups 1, 2, 3 attributes may form

Before it runs a search is told by recodings, tables to count, seconds and bytes. It tests single
patterns, pairs and triples, and few larger sets: about half of the possible triples are counted in
practice. A small table costs mostly its overhead, some tables are rolled up from all distinct
tuples. The constants were measured on populations of 1,000 to 1,000,000 people with 288 to 31,104
recodings; this machine's speed is measured by a few milliseconds of like work. Above
`QUICK_CANDIDATES` recodings the proof may take much longer than what is expected here.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from math import prod

import numpy as np

from tokumei.apps.price.problem import PricedAttribute, PriceProblem, RecodingPattern
from tokumei.core.errors import UnknownNameError
from tokumei.core.messages import Message

QUICK_CANDIDATES = 1_000_000
"""So many recodings are searched through soon."""


@dataclass(frozen=True)
class AttributeLine:
    """An attribute as it is: its words, the rarest's people, its value, when to look at it."""

    attribute: str
    words: int
    k: int
    value: float
    priority: int


@dataclass(frozen=True)
class PatternLine:
    """A pattern alone: its words, and smallest, largest, mean and sd of their people."""

    attribute: str
    pattern: str
    words: int
    k: int
    largest: int
    mean: float
    sd: float
    value: float


@dataclass(frozen=True)
class WordLine:
    """A word: its people, its price, and their product."""

    word: str
    people: int
    price: float
    value: float


def count_combinations(values: Sequence[int]) -> list[int]:
    """For 1, 2, … attributes together: how many combinations of values all such sets have."""
    counts = [1] + [0] * len(values)
    for number in values:
        for size in range(len(values), 0, -1):
            counts[size] += counts[size - 1] * number
    return counts[1:]


def count_candidates(problem: PriceProblem) -> int:
    """How many recodings there are, deletions included."""
    return prod(len(attribute.patterns) + 1 for attribute in problem.attributes)


def attribute_table(problem: PriceProblem) -> list[AttributeLine]:
    """Every attribute under `original`, with its priority.

    First come attributes that tell least: by the order of magnitude of k (powers of two), then by
    value; worthless ones last.
    """
    pattern_lines = [
        _pattern_line(problem, attribute, attribute.place("original"))
        for attribute in problem.attributes
    ]
    lines = [(line.words, line.k, line.value) for line in pattern_lines]
    return [
        AttributeLine(attribute.name, *line, place)
        for attribute, line, place in zip(
            problem.attributes, lines, rank_attributes(lines), strict=True
        )
    ]


def rank_attributes(lines: Sequence[tuple[int, int, float]]) -> list[int]:
    """The place of every attribute in the order of search, from its words, k and value."""
    ranked = sorted(lines, key=lambda line: (line[2] <= 0, -line[1].bit_length(), -line[2]))
    return [ranked.index(line) + 1 for line in lines]


def pattern_table(problem: PriceProblem) -> list[PatternLine]:
    """Every pattern of every attribute; the sd is that of all words, not of a sample."""
    return [
        _pattern_line(problem, attribute, pattern_index)
        for attribute in problem.attributes
        for pattern_index in range(len(attribute.patterns))
    ]


def word_table(problem: PriceProblem, attribute: str, pattern: str) -> list[WordLine]:
    """The words of a pattern that occur."""
    priced_attribute, word_pattern = _find_pattern(problem, attribute, pattern)
    people = _people_per_word(priced_attribute, word_pattern)
    return [
        WordLine(
            str(word_pattern.words[int(word)]),
            int(people[word]),
            problem.money(int(word_pattern.prices[word])),
            problem.money(int(people[word]) * int(word_pattern.prices[word])),
        )
        for word in np.flatnonzero(people)
    ]


def summarize_problem(problem: PriceProblem) -> dict[str, object]:
    """All of it as plain data, but for the words."""
    values = [len(attribute.values) for attribute in problem.attributes]
    return {
        "rows": problem.rows,
        "distinct": len(problem.counts),
        "currency": problem.currency,
        "combinations": count_combinations(values),
        "candidates": count_candidates(problem),
        "attributes": [asdict(line) for line in attribute_table(problem)],
        "patterns": [asdict(line) for line in pattern_table(problem)],
    }


def _pattern_line(
    problem: PriceProblem, attribute: PricedAttribute, pattern_index: int
) -> PatternLine:
    people = _people_per_word(attribute, attribute.patterns[pattern_index])
    people = people[people > 0]
    return PatternLine(
        attribute.name,
        attribute.patterns[pattern_index].name,
        len(people),
        int(people.min()),
        int(people.max()),
        float(people.mean()),
        float(people.std()),
        problem.money(attribute.worth[pattern_index]),
    )


def _people_per_word(attribute: PricedAttribute, pattern: RecodingPattern) -> np.ndarray:
    return np.bincount(pattern.up, weights=attribute.counts).astype(np.int64)


def _find_pattern(
    problem: PriceProblem, attribute: str, pattern: str
) -> tuple[PricedAttribute, RecodingPattern]:
    attributes_by_name = {entry.name: entry for entry in problem.attributes}
    if attribute not in attributes_by_name:
        raise UnknownNameError(Message("attribute"), attribute, attributes_by_name)
    patterns = {entry.name: entry for entry in attributes_by_name[attribute].patterns}
    if pattern not in patterns:
        raise UnknownNameError(Message("pattern"), pattern, patterns)
    return attributes_by_name[attribute], patterns[pattern]


COUNTED_SHARE = 0.5
"""The share of single patterns, pairs and triples that a search counts."""
TABLE_SECONDS, TABLE_BYTES = 5.5e-5, 500
"""What a table costs beside its groups; the seconds grow slowly with the tuples."""
LARGE_TABLES, TUPLE_SECONDS = 25, 1.6e-8
"""How many tables are rolled up from all tuples, and what that takes for each tuple."""
TUPLE_BYTES = 32
"""Keys and weights of every tuple while a table is rolled up."""
WORK_SECONDS = 1.35e-3
"""What `_work` took where the constants were measured."""


@dataclass(frozen=True)
class SearchCost:
    """Recodings to choose from, tables expected to be counted, seconds and bytes of the search.

    `sure` says that there are few enough recodings for the expectation to hold.
    """

    candidates: int
    tables: int
    seconds: float
    bytes: int
    sure: bool

    def as_json(self) -> dict[str, object]:
        """Plain data."""
        return asdict(self)


def expected_cost(problem: PriceProblem, *, speed: float | None = None) -> SearchCost:
    """The expected cost of a first question; `speed` of this machine, 1 as where it was measured.

    The seconds are CPU seconds after the people were read and counted.
    """
    tuples = len(problem.counts)
    sets = count_combinations([len(attribute.patterns) for attribute in problem.attributes])
    tables = round(COUNTED_SHARE * sum(sets[:3]))
    candidate_count = count_candidates(problem)
    reference_seconds = (
        TABLE_SECONDS * tables * tuples**0.15 + TUPLE_SECONDS * LARGE_TABLES * tuples
    )
    table_bytes = tables * (TABLE_BYTES + 6.5 * tuples**0.6)
    return SearchCost(
        candidate_count,
        tables,
        reference_seconds / (machine_speed() if speed is None else speed),
        round(TUPLE_BYTES * tuples + table_bytes),
        candidate_count <= QUICK_CANDIDATES,
    )


def machine_speed() -> float:
    """How fast this machine is now; the best of three tries, as one may be interrupted."""
    return WORK_SECONDS / min(_time_counting() for _ in range(3))


def _time_counting() -> float:
    """CPU seconds of counting as a search does it."""
    numbers = np.arange(100_000) * 7919 % 4096
    weights = np.ones(len(numbers))
    began = time.process_time()
    for _ in range(5):
        np.flatnonzero(np.bincount(numbers, weights=weights))
    return max(time.process_time() - began, 1e-9)

"""U1, U2, U4 and U5 where sensitive cells are missing or texts, beside plain loops."""

from __future__ import annotations

import math
import statistics
from collections import Counter, defaultdict
from itertools import combinations
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tokumei as tk
from support.gappy_tables import gappy, is_number, table_of
from support.small_tables import Small, middle
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.registry import measures

SEEDS = st.integers(0, 2**32)


KINDS = st.sampled_from(["n", "t", "nn", "nt", "tt", "nnt"])


def compared(case: Small) -> Comparison:
    sides = (table_of(rows, case) for rows in (case.original, case.released))
    return Comparison(*sides, np.array(case.link, dtype=np.int64))


def score(name: str, case: Small) -> float:
    return measures.build(name, {}).score(compared(case)).value


def pairs(case: Small, j: int) -> tuple[list[tuple[Any, Any]], list[tuple[Any, Any]]]:
    """(QI, cell) of both sides: where both are there; of the original also what was deleted."""
    x = [case.sa_of(row)[j] for row in case.original]
    y = [case.sa_of(row)[j] for row in case.released]
    of = dict(zip(case.link, y, strict=True))
    left = [
        (case.original[i][0], cell)
        for i, cell in enumerate(x)
        if cell is not None and of.get(i, 0) is not None
    ]
    right = [
        (case.released[r][0], cell)
        for r, cell in enumerate(y)
        if cell is not None and x[case.link[r]] is not None
    ]
    return left, right


def mean(values: list[float | None]) -> float:
    known = [value for value in values if value is not None]
    return statistics.fmean(known) if known else 0.0


def frequencies(case: Small, j: int, cells: list[str]) -> dict[str, float]:
    values = {case.sa_of(row)[j] for row in case.original} - {None}
    found: dict[str, float] = defaultdict(float)
    for cell in cells:
        inside = sorted({"a", "b"} & values) if cell == "{a;b}" else [cell]
        for value in inside if cell != "*" else []:
            found[value] += 1 / len(inside)
    total = sum(found.values())
    return {value: part / total for value, part in found.items()}


def apart(case: Small, j: int, left: list[Any], right: list[Any]) -> float:
    """How far a column moved: means of numbers, half the L1 distance of frequencies of texts."""
    if is_number(case, j):
        return abs(mean([middle(x) for x in left]) - mean([middle(y) for y in right]))
    before, after = frequencies(case, j, left), frequencies(case, j, right)
    return sum(abs(before.get(v, 0) - after.get(v, 0)) for v in {*before, *after}) / 2


@given(KINDS, SEEDS)
def test_u1(kinds: str, seed: int) -> None:
    case, found = gappy(seed, kinds), []
    for j in range(len(kinds)):
        left, right = pairs(case, j)
        found.append(apart(case, j, [x for _, x in left], [y for _, y in right]))
    assert score("U1", case) == pytest.approx(statistics.fmean(found))


@given(KINDS, SEEDS)
def test_u2(kinds: str, seed: int) -> None:
    case, found = gappy(seed, kinds), []
    cells = {row[0] for row in (*case.original, *case.released)}
    for j in range(len(kinds)):
        left, right = pairs(case, j)
        for cell in cells:
            sides = ([one for q, one in side if q == cell] for side in (left, right))
            found.append(apart(case, j, *sides))
    assert score("U2", case) == pytest.approx(statistics.fmean(found))


@given(KINDS, SEEDS)
def test_u5(kinds: str, seed: int) -> None:
    case, found = gappy(seed, kinds), []
    for j in range(len(kinds)):
        known = [case.sa_of(row)[j] for row in case.original if case.sa_of(row)[j] is not None]
        for row, origin in zip(case.released, case.link, strict=True):
            x, y = case.sa_of(case.original[origin])[j], case.sa_of(row)[j]
            if x is None or y is None:
                continue
            if not is_number(case, j):
                found.append(float(x != y))
                continue
            spread, value = max(known) - min(known), middle(y)
            moved = 1.0 if value is None else abs(x - value)
            found.append(moved if value is None else moved / spread if spread else float(moved > 0))
    assert score("U5", case) == pytest.approx(statistics.fmean(found) if found else 0.0)


def together(kinds: tuple[bool, bool], rows: list[tuple[Any, Any]]) -> float:
    """Pearson, the correlation ratio or Cramér's V of two columns, from the textbook."""
    if not rows:
        return 0.0
    one, other = ([row[side] for row in rows] for side in (0, 1))
    if all(kinds):
        a, b = (filled([middle(c) for c in column]) for column in (one, other))
        if max(a) == min(a) or max(b) == min(b):
            return 0.0
        return statistics.correlation(a, b)
    if not any(kinds):
        return cramer(one, other)
    texts, numbers = (other, one) if kinds[0] else (one, other)
    values = filled([middle(c) for c in numbers])
    whole = statistics.fmean(values)
    total = sum((v - whole) ** 2 for v in values)
    groups = defaultdict(list)
    for text, value in zip(texts, values, strict=True):
        groups[text].append(value)
    between = sum(len(g) * (statistics.fmean(g) - whole) ** 2 for g in groups.values())
    return math.sqrt(between / total) if total > 1e-15 else 0.0


def filled(values: list[float | None]) -> list[float]:
    return [mean(values) if value is None else value for value in values]


def cramer(one: list[str], other: list[str]) -> float:
    rows, columns, n = Counter(one), Counter(other), len(one)
    seen, least = Counter(zip(one, other, strict=True)), min(len(rows), len(columns)) - 1
    if not least:
        return 0.0
    chi = 0.0
    for a in rows:
        for b in columns:
            expected = rows[a] * columns[b] / n
            chi += (seen[a, b] - expected) ** 2 / expected
    return math.sqrt(chi / n / least)


@given(st.sampled_from(["nn", "nt", "tt", "nnt", "ntt"]), SEEDS)
def test_u4_is_over_rows_that_have_both_cells(kinds: str, seed: int) -> None:
    case, found = gappy(seed, kinds), []
    for i, j in combinations(range(len(kinds)), 2):
        number = (is_number(case, i), is_number(case, j))
        sides = []
        for rows in (case.original, case.released):
            cells = [(case.sa_of(row)[i], case.sa_of(row)[j]) for row in rows]
            sides.append(together(number, [c for c in cells if None not in c]))
        found.append(abs(sides[0] - sides[1]))
    assert score("U4", case) == pytest.approx(statistics.fmean(found), abs=1e-7)


@given(KINDS, SEEDS)
def test_the_gaps_are_counted_beside_every_figure(kinds: str, seed: int) -> None:
    case = gappy(seed, kinds)
    cells = [
        (case.sa_of(case.original[origin])[j], case.sa_of(row)[j])
        for row, origin in zip(case.released, case.link, strict=True)
        for j in range(len(kinds))
    ]
    missing = any(None in case.sa_of(row) for row in (*case.original, *case.released))
    for name in ("U1", "U2", "U4", "U5"):
        found = measures.build(name, {}).score(compared(case)).gaps
        if found is None:
            assert not missing or (name == "U4" and len(kinds) == 1)
            continue
        assert found == (
            len(cells),
            sum(None not in pair for pair in cells),
            sum(x is not None and y is None for x, y in cells),
            sum(x is None and y is not None for x, y in cells),
        )


def test_a_figure_of_texts_and_gaps_says_so_in_words() -> None:
    frame = pl.DataFrame({"q": [1, 1, 2], "pay": [5, None, 7], "ill": ["flu", "flu", None]})
    changed = frame.with_columns(pay=pl.Series([5, 6, None]))
    table = tk.Table.of(frame, qi=["q"], sa=["pay", "ill"])
    found = tk.measure(table, changed)["U5"]
    words = measures.get("U5").reading(found)
    assert "share of cells that changed" in words.show("en")
    assert "over 3 of 6 cells; gaps gained 16.7 %, lost 16.7 %" in words.show("en")
    assert "6 セル中 3 セル" in words.show("ja")
    assert found.as_json()["gaps"] == {"cells": 6, "used": 3, "gained": 1, "lost": 1}


def test_texts_in_another_order_have_not_moved_at_all() -> None:
    """Rounding once said 2e-17, and a report that the frequencies had moved."""
    cells = [f"d{i % 7 if i % 3 else i % 4}" for i in range(300)]
    before = pl.DataFrame({"q": ["a"] * 300, "s": cells})
    order = np.random.default_rng(1).permutation(300)
    scores = tk.measure(before, before[order], qi=["q"], sa=["s"], methods=["U1", "U2"])
    assert [score.value for score in scores.values()] == [0.0, 0.0]

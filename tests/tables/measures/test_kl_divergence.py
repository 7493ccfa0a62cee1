"""KL divergence against spreading every released row over all combinations of its leaves."""

from __future__ import annotations

from collections import Counter
from itertools import product
from math import log, prod

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings

from support.generalized_tables import Generalized, generalized_tables
from support.small_tables import Small, beside, covers, small_tables
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.data.table import Table
from tokumei.tables.measures.qi_information import KlDivergence

Tuple = tuple[object, ...]


def divergence(p: Counter[Tuple], q: dict[Tuple, float], released: int, cells: int) -> float:
    """`q` are rows; a suppressed one is added if a tuple would be ruled out."""
    if any(not q.get(t) for t in p):
        q = {t: q.get(t, 0.0) + 1 / cells for t in p}
        released += 1
    rows = sum(p.values())
    return sum(n / rows * log(n / rows / (q[t] / released)) for t, n in p.items())


@settings(max_examples=150)
@given(made=generalized_tables())
def test_with_hierarchies_equals_the_formula(made: Generalized) -> None:
    q: dict[Tuple, float] = {}
    for row in range(len(made.link)):
        leaves = [made.leaves(row, j) for j in range(len(made.trees))]
        for combination in product(*leaves):
            share = 1 / prod(map(len, leaves))
            q[combination] = q.get(combination, 0.0) + share
    p: Counter[Tuple] = Counter(tuple(row) for row in made.original)
    cells = prod(len(tree) for tree in made.trees)
    found = KlDivergence(made.hierarchies()).score(made.case()).value
    assert found == pytest.approx(divergence(p, q, len(made.link), cells), abs=1e-9)


@settings(max_examples=150)
@given(small=small_tables(general_qi=True, nulls=True))
def test_without_hierarchies_equals_the_formula(small: Small) -> None:
    domains = [domain(small, j) for j in range(2)]
    q: dict[Tuple, float] = {}
    for row in small.released:
        leaves = [[v for v in domains[j] if covers(row[j], number(v))] for j in range(2)]
        for combination in product(*leaves):
            share = 1 / prod(map(len, leaves))
            q[combination] = q.get(combination, 0.0) + share
    p: Counter[Tuple] = Counter(
        tuple(None if cell is None else str(cell) for cell in row[:2]) for row in small.original
    )
    cells = prod(map(len, domains))
    found = KlDivergence().score(small.case()).value
    assert found == pytest.approx(divergence(p, q, len(small.released), cells), abs=1e-9)


def domain(small: Small, j: int) -> list[str | None]:
    """All plain values and members of sets of either side, as text."""
    found: set[str | None] = set()
    for row in [*small.original, *small.released]:
        cell = row[j]
        if cell is None:
            found.add(None)
        elif beside(cell) is not None:
            found.add(None)
            found |= set(str(beside(cell)).strip("{}").split(";")) if "[" not in cell else set()
        elif str(cell).startswith("{"):
            found |= set(cell[1:-1].split(";"))
        elif str(cell)[0] not in "[*":
            found.add(str(cell))
    return sorted(found, key=str)


def number(value: str | None) -> object:
    return int(value) if value is not None and value.isdigit() else value


def test_by_hand() -> None:
    x = Table.of(pl.DataFrame({"q": ["a", "a", "a", "b"]}), qi=["q"])
    y = Table.of(pl.DataFrame({"q": ["{a;b}"] * 4}), qi=["q"])
    found = KlDivergence().score(Comparison(x, y, np.arange(4))).value
    assert found == pytest.approx(0.75 * log(1.5) + 0.25 * log(0.5))


def test_a_table_does_not_diverge_from_itself() -> None:
    x = Table.of(pl.DataFrame({"q": [1, 1, 2, None], "r": list("abca")}), qi=["q", "r"])
    assert KlDivergence().score(Comparison(x, x, np.arange(4))).value == 0


def test_what_the_release_rules_out_stays_finite() -> None:
    x = Table.of(pl.DataFrame({"q": ["a", "b"]}), qi=["q"])
    y = Table.of(pl.DataFrame({"q": ["a"]}), qi=["q"])
    # with one suppressed row more Q(a) = (1 + 1/2)/2 and Q(b) = (1/2)/2
    found = KlDivergence().score(Comparison(x, y, np.array([0]))).value
    assert found == pytest.approx(0.5 * log(0.5 / 0.75) + 0.5 * log(0.5 / 0.25))

"""Recoding where the shape of the data is the difficulty: flat columns, and a hard lattice."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import partial
from unittest.mock import patch

import numpy as np
import polars as pl

from bench.harness import Result, best_of
from tokumei.kernels import local_recoding
from tokumei.tables.anonymizers.recoding.lattice import find_best_levels
from tokumei.tables.anonymizers.recoding.lattice_task import LatticeQuery
from tokumei.tables.anonymizers.recoding.local_search import recode_locally
from tokumei.tables.anonymizers.recoding.recoding_problem import RecodingProblem
from tokumei.tables.engines.local import LocalEngine
from tokumei.tables.hierarchies.choose import choose_hierarchies
from tokumei.tables.hierarchies.hierarchy import Hierarchy

FLAT = {73_000: "≤ 10 s", 300_000: "≤ 60 s"}
K = 10
PEOPLE = 45_222
SUPPRESSIONS = (0.0, 0.02, 0.05)


def results() -> list[Result]:
    return [*(one for rows in FLAT for one in _flat(rows)), *_hard_lattice()]


def _flat(rows: int) -> list[Result]:
    """Nearly all tuples distinct: the search for first classes, with and without shortlists."""
    draw = np.random.default_rng(1)
    sizes = draw.integers(8, 21, size=12)
    columns = {f"q{j}": (draw.random(rows) ** 1.5 * n).astype(int) for j, n in enumerate(sizes)}
    frame = pl.DataFrame(columns).cast(pl.String)
    found = LocalEngine(frame).tuples(frame.columns)
    problem = RecodingProblem.of(found, choose_hierarchies("auto", frame, frame.columns))
    ours = best_of(1, partial(recode_locally, problem, K), clock=time.process_time)
    without = None
    if rows == min(FLAT):
        with patch.object(local_recoding, "MANY_WAITING", rows + 1):
            without = best_of(1, partial(recode_locally, problem, K), clock=time.process_time)
    tuples = len(found.counts)
    what = f"local recoding, 12 flat QI, {tuples:,} distinct tuples, k = {K}: CPU seconds"
    return [Result(what, ours, without, "the same without shortlists", FLAT[rows])]


def _hard_lattice() -> list[Result]:
    """Eleven columns of the full Adult's shape, 280,000 nodes: proven optima."""
    frame, hierarchies = adult_like()
    problem = RecodingProblem.of(LocalEngine(frame).tuples(frame.columns), hierarchies)
    results = []
    for share in SUPPRESSIONS:
        question = LatticeQuery(k=5, suppression=share)
        found = find_best_levels(problem, question)
        assert found.optimal
        seconds = best_of(1, partial(find_best_levels, problem, question), clock=time.process_time)
        what = f"flash, 11 QI of the full Adult's shape, {share:.0%} suppressed: CPU seconds"
        results.append(Result(what, seconds, None, "", "proven, ≤ 5 s"))
    return results


BANDS = {"age": (5, 10, 20, 40), "hours": (5, 10, 20, 40), "education": (4, 8)}
BANDS |= {name: (3,) for name in ("marital", "relationship", "workclass")}
BANDS |= {"occupation": (5,), "country": (10,), "race": (), "sex": (), "salary": ()}


def adult_like() -> tuple[pl.DataFrame, dict[str, Hierarchy]]:
    """People who are made up: as many, with as many values, as skewed as in the census sample."""
    draw = np.random.default_rng(7)
    marital = _skewed(draw, 7, 2.2)
    columns = {
        "age": np.clip(draw.gamma(5.5, 5, PEOPLE) + 14, 17, 90).astype(int),
        "hours": np.where(
            draw.random(PEOPLE) < 0.47, 40, np.clip(draw.normal(40, 14, PEOPLE), 1, 99).astype(int)
        ),
        "education": _skewed(draw, 16, 1.4),
        "occupation": _skewed(draw, 14, 0.7),
        "marital": marital,
        "relationship": np.where(marital == 0, _skewed(draw, 6, 4), 5 - _skewed(draw, 6, 1)),
        "workclass": _skewed(draw, 7, 2.5),
        "race": _skewed(draw, 5, 3),
        "sex": _skewed(draw, 2, 1),
        "country": np.where(draw.random(PEOPLE) < 0.91, 0, 1 + _skewed(draw, 40, 1)),
        "salary": _skewed(draw, 2, 1.6),
    }
    frame = pl.DataFrame(columns)
    return frame, {name: _banded(frame[name], bands) for name, bands in BANDS.items()}


def _skewed(draw: np.random.Generator, values: int, power: float) -> np.ndarray:
    """Value v with a chance of 1 / (v + 1) to the power."""
    chances = 1 / np.arange(1, values + 1) ** power
    return draw.choice(values, PEOPLE, p=chances / chances.sum())


def _banded(column: pl.Series, bands: Sequence[int]) -> Hierarchy:
    """Every value in bands that are ever wider, and `*`."""
    values = column.unique().sort().to_list()
    lines = [[str(v), *(f"{v // w * w}-{v // w * w + w - 1}" for w in bands), "*"] for v in values]
    return Hierarchy.of(column.name, lines)

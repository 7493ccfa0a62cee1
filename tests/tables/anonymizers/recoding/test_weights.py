"""Weights of columns: the best full-domain recoding against all levels, and who loses less."""

from __future__ import annotations

from itertools import product

import numpy as np
import polars as pl
import pytest

import tokumei as tk
from tokumei.core.errors import UsageError
from tokumei.tables.anonymizers.recoding.recoding_problem import RecodingProblem
from tokumei.tables.engines.local import engine_for_frame
from tokumei.tables.hierarchies.choose import choose_hierarchies

NAMES = ["age", "town"]


def table(rows: int = 90) -> pl.DataFrame:
    return pl.DataFrame(
        {
            "age": [20 + i * 7 % 43 for i in range(rows)],
            "town": [f"T{i * 5 % 31:02}" for i in range(rows)],
        }
    )


def weighted_loss(problem: RecodingProblem, levels: tuple[int, ...], shares: list[float]) -> float:
    """Every row, every column: the cost of its cell times the column's share."""
    total = 0.0
    for row, count in zip(problem.codes, problem.counts, strict=True):
        for j, level in enumerate(levels):
            total += count * shares[j] * problem.cost[j][level, row[j]]
    return total / (problem.rows * len(levels))


def holds(problem: RecodingProblem, levels: tuple[int, ...], k: int) -> bool:
    sizes: dict[tuple[int, ...], int] = {}
    for row, count in zip(problem.codes, problem.counts, strict=True):
        cell = tuple(int(problem.up[j][level, row[j]]) for j, level in enumerate(levels))
        sizes[cell] = sizes.get(cell, 0) + int(count)
    return min(sizes.values()) >= k


@pytest.mark.parametrize("heavy", NAMES)
def test_the_weighted_optimum_is_the_least_of_all_levels(heavy: str) -> None:
    frame = table()
    chosen = choose_hierarchies("auto", frame, NAMES)
    problem = RecodingProblem.of(engine_for_frame(frame).tuples(NAMES), chosen)
    shares = [2 * (9.0 if name == heavy else 1.0) / 10.0 for name in NAMES]
    heights = [range(len(up)) for up in problem.up]
    allowed = [levels for levels in product(*heights) if holds(problem, levels, 3)]
    best = min(weighted_loss(problem, levels, shares) for levels in allowed)
    release = tk.anonymize(frame, "flash", k=3, qi=NAMES, weights={heavy: 9.0}, seed=1)
    cells = release.public.frame[np.argsort(release.link)]
    found = [
        levels
        for levels in allowed
        if all(
            (
                chosen[name].labels(level).n_unique() > 1
                and _label(chosen[name], level, frame[name][0]) == str(cells[name][0])
            )
            or (level == len(problem.up[j]) - 1 and cells[name][0] == "*")
            for j, (name, level) in enumerate(zip(NAMES, levels, strict=True))
        )
    ]
    assert best in [pytest.approx(weighted_loss(problem, levels, shares)) for levels in found]


def _label(hierarchy, level: int, value: object) -> str:  # type: ignore[no-untyped-def]
    code = hierarchy.leaf_codes(pl.Series([value]))[0]
    return str(hierarchy.names[level][int(hierarchy.up[level, code])])


def test_a_heavy_column_loses_less_and_weights_are_told() -> None:
    frame = table()
    losses = {}
    for heavy in NAMES:
        release = tk.anonymize(frame, "local", k=5, qi=NAMES, weights={heavy: 20.0}, seed=1)
        exact = frame[heavy].cast(pl.String).gather(release.link)
        losses[heavy] = (release.public.frame[heavy].cast(pl.String) != exact).mean()
        assert f"{heavy} × 20" in release.provenance.searches[0].note.en
        assert release.provenance.steps[0]["weights"] == {heavy: 20.0}
        light = next(name for name in NAMES if name != heavy)
        other = tk.anonymize(frame, "local", k=5, qi=NAMES, weights={light: 20.0}, seed=1)
        moved = frame[heavy].cast(pl.String).gather(other.link)
        assert losses[heavy] <= (other.public.frame[heavy].cast(pl.String) != moved).mean()


@pytest.mark.parametrize("wrong", [{"age": 0}, {"age": float("inf")}, {"aeg": 2.0}])
def test_weights_that_make_no_sense_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(UsageError):
        tk.anonymize(table(), "local", k=5, qi=NAMES, weights=wrong, seed=1)

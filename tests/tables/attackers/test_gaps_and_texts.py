"""Attacks where sensitive cells are missing or texts, beside plain loops over rows and columns."""

from __future__ import annotations

import math
import statistics
from itertools import permutations
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from support.gappy_tables import gappy, is_number, table_of
from support.small_tables import Small, chances, ends, middle, uniform
from tokumei.core.randomness import Randomness
from tokumei.tables.attackers import assignment, missing_values, nearest_rows
from tokumei.tables.data.guess import Guess, Knowledge
from tokumei.tables.data.table import Table
from tokumei.tables.registry import attackers

SEEDS = st.integers(0, 2**32)


class Gower:
    """Distances as the page describes them, one pair and one column at a time."""

    def __init__(self, case: Small, columns: list[int], *, aware: bool, standardize: bool) -> None:
        self.case, self.aware = case, aware
        self.numbers = [j for j in columns if is_number(case, j)]
        self.texts = [j for j in columns if j not in self.numbers]
        self.sd = {
            j: (statistics.pstdev(self.known(j)) if standardize else 1) or 1
            for j in columns
            if j in self.numbers
        }
        widths = {j: self.width(j) for j in self.numbers}
        wide = [width for width in widths.values() if width > 0]
        usual = statistics.fmean(wide) if wide else 1.0
        self.cost = {j: (width or usual) ** 2 for j, width in widths.items()}
        self.weight = statistics.fmean(self.cost.values()) if self.cost else 1.0

    def known(self, j: int) -> list[float]:
        cells = [self.case.sa_of(row)[j] for row in self.case.original]
        return [float(cell) for cell in cells if cell is not None]

    def emptied(self, j: int) -> bool:
        before, after = (
            sum(self.case.sa_of(row)[j] is None for row in rows)
            for rows in (self.case.original, self.case.released)
        )
        return after > before

    def box(self, cell: Any, j: int) -> tuple[float, float] | None:
        """The ends of a released number; None for a gap."""
        if cell is None:
            return (-math.inf, math.inf) if self.aware and self.emptied(j) else None
        if self.aware:
            return ends(cell) or (-math.inf, math.inf)
        value = middle(cell)
        value = statistics.fmean(self.known(j)) if value is None else value
        return value, value

    def width(self, j: int) -> float:
        boxes = [self.box(self.case.sa_of(row)[j], j) for row in self.case.released]
        seen = [e for box in boxes if box is not None for e in box if math.isfinite(e)]
        values = [v / self.sd[j] for v in [*self.known(j), *seen]]
        return max(values) - min(values)

    def squared(self, row: list[Any], origin: int) -> float:
        total = 0.0
        mine, theirs = self.case.sa_of(row), self.case.sa_of(self.case.original[origin])
        for j in self.numbers:
            box, value = self.box(mine[j], j), theirs[j]
            if box == (-math.inf, math.inf) or (box is None and value is None):
                continue
            if box is None or value is None:
                total += self.cost[j]
            else:
                total += (max(box[0] - value, value - box[1], 0.0) / self.sd[j]) ** 2
        return total + sum(self.weight * self.text(mine[j], theirs[j], j) ** 2 for j in self.texts)

    def text(self, cell: str | None, value: str | None, j: int) -> float:
        values = {self.case.sa_of(row)[j] for row in self.case.original}
        if cell == "*":
            return 1 - 1 / len(values)
        if cell == "{a;b}":
            inside = {"a", "b"} & values
            return 1 - 1 / len(inside) if value in inside else 1.0
        return 0.0 if cell == value else 1.0

    def nearest(self, row: list[Any], among: list[int]) -> list[float]:
        far = {i: self.squared(row, i) for i in among}
        least = min(far.values()) * (1 + 1e-9) ** 2 + 1e-15
        return uniform([i for i in among if far[i] <= least], len(self.case.original))


def attack(name: str, case: Small, **params: Any) -> Guess:
    known = Knowledge(table_of(case.original, case))
    return attackers.build(name, params).attack(
        table_of(case.released, case), known, rng=Randomness(1)
    )


def same_qi(case: Small, row: list[Any]) -> list[int]:
    """Missing equals missing, and nothing else."""
    return [i for i, one in enumerate(case.original) if one[0] == row[0]]


def assert_chances(guess: Guess, case: Small, wanted: list[list[float]]) -> None:
    found = chances(guess, len(case.released), len(case.original))
    assert np.allclose(found, wanted, atol=1e-12), (found, wanted)


@given(SEEDS)
def test_a_missing_qi_fits_those_that_lack_it(seed: int) -> None:
    case = gappy(seed, "n")
    everyone = list(range(len(case.original)))
    wanted = [uniform(same_qi(case, row) or everyone, len(everyone)) for row in case.released]
    assert_chances(attack("E1", case), case, wanted)


@pytest.mark.parametrize("sa", ["n", "t"])
@given(seed=SEEDS)
def test_e2_and_e4_find_the_nearest_cell_gap_or_text(sa: str, seed: int) -> None:
    case = gappy(seed, sa)
    everyone = list(range(len(case.original)))
    gower = Gower(case, [0], aware=False, standardize=False)
    wanted = [gower.nearest(row, everyone) for row in case.released]
    assert_chances(attack("E4", case), case, wanted)
    wanted = [gower.nearest(row, same_qi(case, row) or everyone) for row in case.released]
    assert_chances(attack("E2", case), case, wanted)


def no_new_gaps(case: Small) -> Small:
    """The same; readers of QI take a gap that is new for anything, which is not asked here."""
    before, after = (sum(r[0] is None for r in rows) for rows in (case.original, case.released))
    if after > before:
        for row in case.released:
            row[0] = 1 if row[0] is None else row[0]
    return case


@pytest.mark.parametrize("large", [0, nearest_rows.LARGE])
@pytest.mark.parametrize("patterns", [0, missing_values.MAX_PATTERN_PAIRS])
@pytest.mark.parametrize("sa", ["nn", "nt", "tt", "nnt"])
@settings(max_examples=25)
@given(seed=SEEDS)
def test_euc2_compares_all_columns_after_gower(
    sa: str, patterns: int, large: int, seed: int
) -> None:
    case = no_new_gaps(gappy(seed, sa))
    everyone = list(range(len(case.original)))
    for aware, standardize in ((False, False), (True, True)):
        gower = Gower(case, list(range(len(sa))), aware=aware, standardize=standardize)
        wanted = [gower.nearest(row, same_qi(case, row) or everyone) for row in case.released]
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(nearest_rows, "LARGE", large)
            patch.setattr(missing_values, "MAX_PATTERN_PAIRS", patterns)
            found = attack("EUC2", case, aware=aware, standardize=standardize)
        assert_chances(found, case, wanted)


def has_unknown_label(case: Small, text: int) -> bool:
    """Whether a released text is none of the original's: it then stands for any of them."""
    known = {case.sa_of(row)[text] for row in case.original}
    return bool({case.sa_of(row)[text] for row in case.released} - known - {"*", "{a;b}", None})


@pytest.mark.parametrize("dense", [assignment.DENSE, 0])
@pytest.mark.parametrize("sa", ["nt", "nnt"])
@settings(max_examples=25)
@given(seed=SEEDS)
def test_rows_are_assigned_at_the_least_sum_of_distances(sa: str, dense: int, seed: int) -> None:
    case = gappy(seed, sa)
    assume(not has_unknown_label(case, len(sa) - 1))
    gower = Gower(case, list(range(len(sa))), aware=False, standardize=False)
    far = [
        [math.sqrt(gower.squared(y, i)) for i in range(len(case.original))] for y in case.released
    ]
    rows = range(len(case.original))
    best = min(sum(far[y][i] for y, i in enumerate(p)) for p in permutations(rows, len(far)))
    for row in (*case.original, *case.released):
        row[0] = 1
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(assignment, "DENSE", dense)
        guess = attack("EUC1", case, assign=True)
    answers = guess.draw(np.random.default_rng(1)).tolist()
    assert len({*answers}) == len(answers)
    assert sum(far[y][i] for y, i in enumerate(answers)) == pytest.approx(best)


@given(SEEDS)
def test_e3_sorts_with_gaps_as_the_mean_and_without_texts(seed: int) -> None:
    case = gappy(seed, "nnt")
    gower = Gower(case, [0, 1, 2], aware=False, standardize=False)

    def total(cells: list[Any]) -> float:
        found = 0.0
        for j in gower.numbers:
            value = None if cells[j] is None else middle(cells[j])
            found += statistics.fmean(gower.known(j)) if value is None else value
        return round(found, 9)

    known = [total(case.sa_of(row)) for row in case.original]
    shown = [total(case.sa_of(row)) for row in case.released]
    wanted = np.zeros((len(shown), len(known)))
    for y, value in enumerate(shown):
        ranks = [rank for rank, one in enumerate(sorted(shown)) if one == value]
        for rank in ranks:
            if rank < len(known):
                ties = [i for i, one in enumerate(known) if one == sorted(known)[rank]]
                wanted[y, ties] += 1 / len(ties) / len(ranks)
    assert_chances(attack("E3", case), case, wanted.tolist())


def people(rows: int) -> pl.DataFrame:
    rng = np.random.default_rng(7)
    pay = rng.lognormal(6, 1, rows)
    return pl.DataFrame(
        {
            "age": rng.integers(20, 25, rows),
            "pay": pay,
            "debt": rng.normal(0, 9, rows),
            "job": rng.choice(["clerk", "nurse", "cook"], rows),
        }
    )


def rate(name: str, frame: pl.DataFrame, released: pl.DataFrame, sa: list[str]) -> float:
    table = Table.of(frame, qi=["age"], sa=sa)
    guess = attackers.build(name, {}).attack(
        Table.of(released), Knowledge(table), rng=Randomness(1)
    )
    return float(guess.chance_of(np.arange(frame.height)).mean())


@pytest.mark.parametrize("name", ["EUC2", "linkage", "everything"])
@pytest.mark.parametrize("size", [0.3, 2.0])
def test_gaps_that_stay_do_not_hide_people_under_noise(name: str, size: float) -> None:
    frame, rng = people(300), np.random.default_rng(1)
    noise = {n: rng.normal(0, size * float(frame[n].std()), 300) for n in ("pay", "debt")}
    noisy = frame.with_columns(pl.col(n) + pl.Series(noise[n]) for n in noise)
    holes = {n: pl.Series(rng.random(300) < 0.2) for n in noise}
    emptied = [pl.when(~holes[n]).then(pl.col(n)).alias(n) for n in noise]
    whole = rate(name, frame, noisy, ["pay", "debt"])
    assert rate(name, frame.with_columns(emptied), noisy.with_columns(emptied), [*noise]) >= whole


@pytest.mark.parametrize("name", ["E2", "EUC2", "linkage", "everything"])
def test_a_text_that_stays_helps(name: str) -> None:
    frame = people(300).drop("debt")
    noisy = frame.with_columns(pl.col("pay") + np.random.default_rng(2).normal(0, 300, 300))
    sa = ["job"] if name == "E2" else ["pay", "job"]
    without = rate(name, frame.drop("job"), noisy.drop("job"), ["pay"])
    assert rate(name, frame, noisy, sa) > (0 if name == "E2" else without)


@pytest.mark.parametrize("name", ["linkage", "everything"])
def test_cells_that_were_emptied_do_not_hide_people(name: str) -> None:
    frame, rng = people(300).drop("job"), np.random.default_rng(3)
    noisy = frame.with_columns((pl.col(n) * 1.001).alias(n) for n in ("pay", "debt"))
    hole = pl.Series(rng.random(300) < 0.1)
    emptied = noisy.with_columns(pay=pl.when(~hole).then(pl.col("pay")))
    assert rate(name, frame, noisy, ["pay", "debt"]) == 1
    assert rate(name, frame, emptied, ["pay", "debt"]) > 0.97

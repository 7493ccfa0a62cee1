"""Levels that are given: the classes, the repair and the errors, against plain Python."""

from __future__ import annotations

import random
from collections import Counter
from itertools import product
from typing import Any

import polars as pl
import pytest

import tokumei as tk
from tokumei.tables.hierarchies.choose import choose_hierarchies

NAMES = ["a", "b", "c"]
"""Names that mean nothing: known ones would get the levels of what they mean."""
ARX_OPTIMUM = {
    **{"sex": 0, "age": 3, "race": 0, "marital-status": 2, "education": 2},
    **{"native-country": 1, "workclass": 1, "salary-class": 0},
}


def random_frame(seed: int) -> pl.DataFrame:
    """Up to 60 rows of three columns."""
    chance = random.Random(seed)
    rows = chance.randint(8, 60)
    return pl.DataFrame(
        {
            "a": [chance.randint(20, 40) for _ in range(rows)],
            "b": [chance.choice(["Osaka", "Kyoto", "Nara", "Kobe"]) for _ in range(rows)],
            "c": [chance.choice(["nurse", "cook", "clerk"]) for _ in range(rows)],
        }
    )


def slow_cells(frame: pl.DataFrame, levels: dict[str, int]) -> list[tuple[str, ...]]:
    """The labels of every row at these levels, looked up in the hierarchies' tables."""
    trees = choose_hierarchies("auto", frame, NAMES)
    columns = []
    for name in NAMES:
        labels = trees[name].labels(levels.get(name, 0)).to_list()
        columns.append([labels[leaf] for leaf in trees[name].leaf_codes(frame[name]).tolist()])
    return list(zip(*columns, strict=True))


def slow_small(frame: pl.DataFrame, levels: dict[str, int], k: int) -> int:
    """How many rows are in classes below k."""
    sizes = Counter(slow_cells(frame, levels))
    return sum(size for size in sizes.values() if size < k)


def heights(frame: pl.DataFrame) -> dict[str, int]:
    """The highest level of every column."""
    return {name: tree.height for name, tree in choose_hierarchies("auto", frame, NAMES).items()}


def recoded(frame: pl.DataFrame, levels: dict[str, int], **more: Any) -> pl.DataFrame:
    """The rows of a release at these levels."""
    release = tk.anonymize(frame, "flash", qi=NAMES, sa=[], levels=levels, seed=1, **more)
    return release.to_polars()


@pytest.mark.parametrize("seed", range(12))
def test_the_cells_are_those_of_the_levels_and_small_classes_are_suppressed(seed: int) -> None:
    frame, chance = random_frame(seed), random.Random(f"levels {seed}")
    levels = {name: chance.randint(0, height) for name, height in heights(frame).items()}
    cells, k = slow_cells(frame, levels), 3
    sizes = Counter(cells)
    small = sum(size for size in sizes.values() if size < k)
    wanted = Counter(
        cell if sizes[cell] >= k else ("*",) * 3 for cell in cells if sizes[cell] >= k or small >= k
    )
    if not any(size >= k for size in sizes.values()) and small < k:
        return
    rows = recoded(frame, levels, k=k, suppression=1.0).select(pl.all().cast(pl.String)).rows()
    assert Counter(rows) == wanted


@pytest.mark.parametrize("seed", range(12))
def test_what_fails_names_the_smallest_coarsening_that_repairs_it(seed: int) -> None:
    frame, k, share = random_frame(seed), 4, 0.1
    limit, top = int(share * frame.height), heights(frame)
    if slow_small(frame, {"a": 0}, k) <= limit:
        return
    with pytest.raises(tk.InputError) as caught:
        recoded(frame, {"a": 0}, k=k, suppression=share)
    told = caught.value.message.show("en").rpartition(": ")[2]
    repair = {name: int(level) for name, level in (pair.split("=") for pair in told.split(","))}
    assert slow_small(frame, repair, k) <= limit
    fewest = min(
        sum(levels)
        for levels in product(*(range(top[name] + 1) for name in NAMES))
        if slow_small(frame, dict(zip(NAMES, levels, strict=True)), k) <= limit
    )
    assert sum(repair.values()) == fewest


@pytest.mark.parametrize("seed", range(4))
def test_the_best_of_all_levels_loses_what_the_search_loses(seed: int) -> None:
    frame, k = random_frame(seed), 3
    limit = int(0.1 * frame.height)
    nodes = [
        dict(zip(NAMES, levels, strict=True))
        for levels in product(*(range(height + 1) for height in heights(frame).values()))
    ]
    best = min(
        (levels for levels in nodes if slow_small(frame, levels, k) <= limit),
        key=lambda levels: slow_loss(frame, levels, k),
    )
    asked: dict[str, Any] = {"qi": NAMES, "sa": [], "k": k, "suppression": 0.1, "seed": 1}
    searched = tk.anonymize(frame, "flash", **asked).provenance.searches[0]
    given = tk.anonymize(frame, "flash", levels=best, **asked).provenance.searches[0]
    assert given.loss == pytest.approx(searched.loss)


def slow_loss(frame: pl.DataFrame, levels: dict[str, int], k: int) -> float:
    """The NCP at the levels, suppressed rows counted 1 in every column."""
    trees, cells = choose_hierarchies("auto", frame, NAMES), slow_cells(frame, levels)
    sizes, total = Counter(cells), 0.0
    for name in NAMES:
        costs = trees[name].ncp()[levels[name]]
        leaves = trees[name].leaf_codes(frame[name]).tolist()
        for leaf, cell in zip(leaves, cells, strict=True):
            total += costs[leaf] if sizes[cell] >= k else 1.0
    return float(total)


def test_columns_and_levels_that_do_not_exist_are_refused() -> None:
    frame = random_frame(1)
    for levels, word in (({"d": 1}, "d"), ({"b": 99}, "levels 0 to"), ({"b": -1}, "-1")):
        with pytest.raises(tk.UsageError, match=word):
            recoded(frame, levels, k=2)


def test_the_command_line_takes_levels_and_the_manifest_tells_them(tokumei: Any) -> None:
    random_frame(2).write_csv("x.csv")
    ran = tokumei(
        *("anonymize", "table", "--data", "x.csv", "--qi", "a,b,c", "--method", "flash"),
        *("--k", 2, "--suppression", 1, "--levels", "b=1,a=2", "--out", "y.csv", "--json"),
    )
    assert ran.code == 0, ran.err
    assert "at given levels (a=2,b=1,c=0)" in ran.out
    checked = tokumei("check", "--format", "table", "--release", "y.csv", "--qi", "a,b,c", "--k", 2)
    assert checked.code == 0, checked.out


@pytest.mark.data
def test_the_optimum_of_arx_gives_its_506_suppressed_rows(real_data: Any) -> None:
    adult = pl.read_csv(real_data / "adult" / "adult.csv", separator=";").drop("occupation")
    release = tk.anonymize(
        adult,
        "flash",
        qi=adult.columns,
        sa=[],
        k=5,
        suppression=0.02,
        hierarchies=str(real_data / "adult" / "adult_hierarchy_{column}.csv"),
        levels=ARX_OPTIMUM,
        seed=1,
    )
    rows = release.to_polars()
    assert rows.filter(pl.all_horizontal(pl.all() == "*")).height == 506
    assert rows.height == adult.height

"""Adult split by a seed, and its releases: copies, synthesizers, noise, generalizations.

The files are those of the specification's page on inference; its own draws are not known, so that
figures of random releases differ by chance.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from sklearn.tree import DecisionTreeClassifier

import tokumei as tk
from tokumei.tables.data.table import Release

SEED = 2026
SA = "occupation"
QI = (
    *("sex", "age", "race", "marital-status", "education"),
    *("native-country", "workclass", "salary-class"),
)
Frames = tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]


def folder() -> Path:
    """Where real data is: TOKUMEI_DATA, or shared/data beside the project."""
    beside = Path(__file__).parents[2] / "shared" / "data"
    return Path(os.environ.get("TOKUMEI_DATA", beside))


@cache
def adult() -> Frames:
    """10,000 members, 10,000 control, 10,162 reference."""
    rows = pl.read_csv(folder() / "adult" / "adult.csv", separator=";")
    order = np.random.default_rng(SEED).permutation(rows.height)
    return rows[order[:10_000]], rows[order[10_000:20_000]], rows[order[20_000:]]


@cache
def synthetic(name: str) -> pl.DataFrame:
    """A release of exact values by its name."""
    return SYNTHETIC[name](adult()[0], np.random.default_rng(SEED))


@cache
def generalized(method: str, k: int, rule: str = "") -> pl.DataFrame:
    """A release by one of our methods, along the published hierarchies where it uses some."""
    table = tk.Table.of(adult()[0], qi=list(QI), sa=[SA])
    options: dict[str, Any] = {} if method == "mondrian" else {"hierarchies": hierarchies()}
    if rule.startswith("2 %"):
        options["suppression"] = 0.02
    elif rule:
        options["conditions"] = [rule]
    made: Release = tk.anonymize(table, method, k=k, seed=1, sets=["all"], **options)
    return made.public.frame


def hierarchies() -> dict[str, str]:
    """The published hierarchies, by column."""
    return {name: str(folder() / "adult" / f"adult_hierarchy_{name}.csv") for name in QI}


def cart(members: pl.DataFrame, rng: np.random.Generator, leaf: int) -> pl.DataFrame:
    """Column after column, drawn from the leaves of a tree on the columns before."""
    words = {name: members[name].unique().sort() for name in members.columns}
    known = {name: members[name].rank("dense").to_numpy() - 1 for name in members.columns}
    made: dict[str, np.ndarray] = {}
    for name, codes in known.items():
        if not made:
            made[name] = rng.choice(codes, len(codes))
            continue
        before = np.stack([known[other] for other in made], axis=1)
        tree = DecisionTreeClassifier(min_samples_leaf=leaf, random_state=0).fit(before, codes)
        drawn = tree.apply(np.stack(list(made.values()), axis=1))
        made[name] = _from_leaves(tree.apply(before), codes, drawn, rng)
    return pl.DataFrame({name: words[name].gather(codes) for name, codes in made.items()})


def chow_liu(members: pl.DataFrame, rng: np.random.Generator) -> pl.DataFrame:
    """The tree of greatest mutual information, each column drawn given its parent."""
    known = {name: members[name].rank("dense").to_numpy() - 1 for name in members.columns}
    first, *left = known
    made = {first: rng.choice(known[first], members.height)}
    while left:
        parent, name = max(
            ((one, other) for one in made for other in left),
            key=lambda pair: _information(known[pair[0]], known[pair[1]]),
        )
        made[name] = _from_leaves(known[parent], known[name], made[parent], rng)
        left.remove(name)
    words = {name: members[name].unique().sort() for name in known}
    return pl.DataFrame({name: words[name].gather(made[name]) for name in known})


def redrawn(
    members: pl.DataFrame, rng: np.random.Generator, share: float, years: int = 0
) -> pl.DataFrame:
    """Some cells drawn again from their column; ages moved by up to so many years."""
    cells = {}
    for name in members.columns:
        own = members[name].to_numpy()
        cells[name] = np.where(rng.random(len(own)) < share, rng.choice(own, len(own)), own)
    cells["age"] = cells["age"] + rng.integers(-years, years + 1, members.height)
    return pl.DataFrame(cells)


def _from_leaves(
    leaves: np.ndarray, codes: np.ndarray, drawn: np.ndarray, rng: np.random.Generator
) -> np.ndarray:
    """For every drawn leaf a value of one of its rows."""
    order = np.argsort(leaves, kind="stable")
    begin = np.searchsorted(leaves[order], drawn, "left")
    count = np.searchsorted(leaves[order], drawn, "right") - begin
    return np.asarray(codes[order][begin + (rng.random(len(drawn)) * count).astype(np.int64)])


def _information(one: np.ndarray, other: np.ndarray) -> float:
    """The mutual information of two columns."""
    table = np.zeros((one.max() + 1, other.max() + 1))
    np.add.at(table, (one, other), 1 / len(one))
    apart = table.sum(axis=1, keepdims=True) * table.sum(axis=0, keepdims=True)
    there = table > 0
    return float((table[there] * np.log(table[there] / apart[there])).sum())


SYNTHETIC: dict[str, Callable[[pl.DataFrame, np.random.Generator], pl.DataFrame]] = {
    "copies": lambda members, rng: members,
    "CART leaf 1": lambda members, rng: cart(members, rng, 1),
    "CART leaf 5": lambda members, rng: cart(members, rng, 5),
    "CART leaf 20": lambda members, rng: cart(members, rng, 20),
    "30 % of cells redrawn": lambda members, rng: redrawn(members, rng, 0.3),
    "10 % redrawn, age ± 3": lambda members, rng: redrawn(members, rng, 0.1, 3),
    "Chow–Liu tree": chow_liu,
    "marginals": lambda members, rng: redrawn(members, rng, 1.0),
    "fresh rows": lambda members, rng: adult()[2][:10_000],
}

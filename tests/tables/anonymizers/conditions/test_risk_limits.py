"""Limits of the re-identification risk: against brute force, every method, and ARX."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.golden_figures import QI, golden_records, recoded_adult
from support.guarded_methods import METHODS, random_source
from tokumei import anonymize
from tokumei.core.errors import InputError, UnknownNameError, UsageError
from tokumei.core.randomness import Randomness
from tokumei.tables.anonymizers.conditions.risk_limits import (
    is_risk_limit,
    keep_within_limits,
    parse_risk_limit,
    split_models,
)
from tokumei.tables.anonymizers.full_domain import Flash
from tokumei.tables.registry import claim_checks

LIMITS = [
    *("highest-risk=0.34", "average-risk=0.2", "average-risk=0.34"),
    *("records-at-risk=0.34,0.2", "records-at-risk=0.2,0.5", "records-at-risk=0.25,0"),
]


def holds(text: str, sizes: list[int]) -> bool:
    """The formula, in fractions; nothing is at risk where there is nothing."""
    name, _, rest = text.partition("=")
    first, *others = (Fraction(part) for part in rest.split(","))
    if name == "highest-risk":
        return all(Fraction(1, size) <= first for size in sizes)
    if name == "average-risk":
        return len(sizes) <= first * sum(sizes)
    return sum(size for size in sizes if Fraction(1, size) > first) <= others[0] * sum(sizes)


@given(sizes=st.lists(st.integers(1, 9), max_size=8), text=st.sampled_from(LIMITS))
def test_as_few_of_the_smallest_classes_go_as_possible(sizes: list[int], text: str) -> None:
    kept = parse_risk_limit(text).kept(np.array(sizes, dtype=np.int64))
    left = [size for size, is_kept in zip(sizes, kept, strict=True) if is_kept]
    falling = sorted(sizes, reverse=True)
    assert sorted(left, reverse=True) == falling[: len(left)]
    assert holds(text, left)
    assert not any(holds(text, falling[:n]) for n in range(len(left) + 1, len(sizes) + 1))


@given(sizes=st.lists(st.integers(1, 6), min_size=2, max_size=6), text=st.sampled_from(LIMITS))
def test_a_limit_holds_for_merged_classes_and_for_classes_of_sufficient_k(
    sizes: list[int], text: str
) -> None:
    limit = parse_risk_limit(text)
    if holds(text, sizes):
        merged = [sizes[0] + sizes[1], *sizes[2:]]
        assert limit.kept(np.array(merged)).all()
    assert holds(text, [limit.sufficient_k + size for size in sizes])


def test_several_limits_hold_at_once() -> None:
    sizes = np.array([1, 2, 3, 10, 10])
    limits = split_models(["average-risk=0.2", "highest-risk=0.4"])[1]
    kept = keep_within_limits(limits, sizes, np.array([True, True, True, True, False]))
    assert kept.tolist() == [False, False, True, True, False]


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("text", LIMITS)
def test_every_method_keeps_every_limit(name: str, text: str) -> None:
    for seed in range(4):
        source = random_source(seed).drop(["who"])
        method = METHODS[name](k=2, conditions=(text,))
        release = method.anonymize(source, rng=Randomness(1), shuffle=False)
        sizes = Counter(release.public.frame.select("a", "b").iter_rows())
        assert holds(text, list(sizes.values()))
        assert min(sizes.values()) >= 2
        (claim,) = [claim for claim in release.claims if claim.rule != "k-anonymity"]
        assert claim.rule == text.partition("=")[0]
        assert claim_checks.build(claim.rule, claim.params).check(release.public) == []


def _node_sizes(frame: pl.DataFrame, levels: tuple[int, ...]) -> list[int]:
    columns = [_climb(frame[name], level) for name, level in zip("ab", levels, strict=True)]
    return list(Counter(zip(*columns, strict=True)).values())


def _climb(cells: pl.Series, level: int) -> list[Any]:
    """0: the number itself, 1: halves, 2: `*`."""
    return [(cell, cell // 2, None)[level] for cell in cells]


def test_flash_finds_the_best_levels_of_all_that_hold(tmp_path: Path) -> None:
    for name in "ab":
        lines = [f"{v};{v // 2} half;*" for v in range(4)]
        (tmp_path / f"{name}.csv").write_text("\n".join(lines), encoding="utf-8")
    loss = (0, Fraction(1, 3), 1)
    for seed in range(40):
        chance = random.Random(seed)
        values = list(itertools.product(range(4), repeat=2))
        rows = values + chance.choices(values, weights=range(16), k=chance.randint(10, 60))
        frame = pl.DataFrame(rows, schema=["a", "b"], orient="row")
        text = chance.choice(LIMITS)
        release = anonymize(
            frame, Flash(2, str(tmp_path / "{column}.csv"), conditions=(text,)), qi=["a", "b"]
        )
        feasible = [
            sum(loss[level] for level in levels)
            for levels in itertools.product(range(3), repeat=2)
            if min(sizes := _node_sizes(frame, levels)) >= 2 and holds(text, sizes)
        ]
        assert release.provenance.searches[0].optimal
        assert release.provenance.searches[0].loss == pytest.approx(float(min(feasible) / 2))


def test_limits_and_conditions_on_values_go_together() -> None:
    for name, make in METHODS.items():
        source = random_source(3).drop(["who"])
        method = make(k=2, conditions=("l=2", "average-risk=0.2"), sensitive=("s",))
        public = method.anonymize(source, rng=Randomness(1), shuffle=False).public
        classes = public.frame.group_by("a", "b").agg(pl.len(), pl.col("s").n_unique())
        assert classes["s"].min() >= 2, name  # type: ignore[operator]
        assert classes.height <= 0.2 * public.rows, name


@pytest.mark.parametrize(
    ("text", "error", "words"),
    [
        ("average-risk", UsageError, "write it like average-risk=0.1"),
        ("records-at-risk=0.2", UsageError, "write it like records-at-risk=0.1,0.05"),
        ("average-risk=1.5", UsageError, "above 0 and below 1"),
        ("records-at-risk=0.2,1", UsageError, "above 0 and below 1"),
        ("average-risk=0.001", InputError, "needs 1,000 rows, but there are 30"),
        ("averag-risk=0.1", UnknownNameError, "average-risk"),
    ],
)
def test_what_cannot_be_asked_for(text: str, error: type[Exception], words: str) -> None:
    frame = pl.DataFrame({"a": [n % 7 for n in range(30)], "s": [n % 3 for n in range(30)]})
    with pytest.raises(error, match=words):
        anonymize(frame, "mondrian", qi=["a"], k=2, conditions=[text], sa=["s"])


def test_which_models_are_limits() -> None:
    assert is_risk_limit(" average-risk=0.1")
    assert not is_risk_limit("l=2")
    values, limits = split_models(["l=2", "highest-risk=0.1", "t=0.2"])
    assert values == ("l=2", "t=0.2")
    assert [(limit.rule, limit.params) for limit in limits] == [("highest-risk", {"risk": 0.1})]


@pytest.mark.data
def test_as_many_rows_are_suppressed_as_by_arx(real_data: Path) -> None:
    """The average risk, alone and with the highest risk; classes suppressed from the smallest on.

    Classes that are all `*` count as suppressed there: no level here makes one.
    """
    records = golden_records(
        real_data,
        "arx_models_fixed_levels.csv",
        "average re-identification risk",
        "k-anonymity (max risk 1/k)",
    )
    sizes_of: dict[Any, np.ndarray] = {}
    for record in records:
        key = record["dataset"], record["fixed_levels"]
        if key not in sizes_of:
            classes = recoded_adult(real_data, *key).group_by(QI).len()["len"]
            sizes_of[key] = classes.sort().to_numpy().astype(np.int64)
        sizes, params = sizes_of[key], record["params"]
        text = f"highest-risk={1 / params['k']}" if "k" in params else ""
        kept = parse_risk_limit(text or f"average-risk={params['average_risk']}").kept(sizes)
        assert int(sizes[~kept].sum()) == int(record["suppressed"]), record
        assert int(kept.sum()) == int(record["classes"]), record
    assert len(records) == 120

"""SafePub: k from ε and δ, an exact audit of small samples, and ARX's deterministic sample."""

from __future__ import annotations

import json
import math
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from support.golden_figures import QI, recoded_adult
from tables.anonymizers.test_column_sets import random_problem
from tokumei import anonymize
from tokumei.core.errors import InputError, UnknownNameError, UsageError
from tokumei.tables.anonymizers.safepub import (
    SafePub,
    delta_of_k,
    derive_k,
    draw_levels,
    large_class_rows,
    score_nodes,
)
from tokumei.tables.registry import claim_checks


def binomial(n: int, j: int, p: float) -> float:
    return math.comb(n, j) * p**j * (1 - p) ** (n - j)


@pytest.mark.parametrize("epsilon", [0.3, 0.7, 1.2])
def test_delta_by_the_formula(epsilon: float) -> None:
    beta = 1 - math.exp(-epsilon)
    gamma = (math.exp(epsilon) - 1 + beta) / math.exp(epsilon)
    for k in (3, 8, 15):
        tails = [
            sum(binomial(n, j, beta) for j in range(n + 1) if j > gamma * n)
            for n in range(math.ceil(k / gamma - 1), 200)
        ]
        assert delta_of_k(k, epsilon) == pytest.approx(max(tails), rel=1e-9)


@pytest.mark.parametrize(
    ("epsilon", "delta"), [(0.5, 0.01), (1.0, 0.05), (1.0, 0.001), (2.0, 0.02)]
)
def test_no_attacker_sees_more_than_epsilon_and_delta(epsilon: float, delta: float) -> None:
    """The exact chances of every outcome of a class of n rows, and of n + 1 rows.

    An outcome is the number of rows shown, at least k, or none.
    """
    k, beta = derive_k(epsilon, delta), 1 - math.exp(-epsilon)

    def chances(n: int) -> list[float]:
        shown = [binomial(n, j, beta) if j >= k else 0.0 for j in range(n + 2)]
        return [1 - sum(shown), *shown]

    for n in range(k - 1, 120):
        with_one, without = chances(n + 1), [*chances(n), 0.0]
        for first, second in ((with_one, without), (without, with_one)):
            pairs = zip(first, second, strict=True)
            excess = sum(max(p - math.exp(epsilon) * q, 0) for p, q in pairs)
            assert excess <= delta * (1 + 1e-9)


def test_k_is_the_smallest() -> None:
    for epsilon, delta in ((0.5, 1e-3), (1.0, 1e-5), (3.0, 1e-4)):
        k = derive_k(epsilon, delta)
        assert delta_of_k(k, epsilon) <= delta < delta_of_k(k - 1, epsilon)


def test_scores_change_by_k_at_most_with_one_row() -> None:
    nodes = list(np.ndindex(3, 3, 3))
    for seed in range(100):
        problem, k = random_problem(seed), 2 + seed % 3
        scores = np.array(score_nodes(problem, nodes, k))
        for place in range(len(problem.counts)):
            counts = problem.counts.copy()
            counts[place] += 1
            larger = type(problem)(problem.codes, counts, problem.up, problem.cost)
            assert np.abs(np.array(score_nodes(larger, nodes, k)) - scores).max() <= k + 1e-9


def test_levels_are_drawn_by_their_scores() -> None:
    problem, k, epsilon = random_problem(4), 2, 3.0
    nodes = list(np.ndindex(3, 3, 3))
    weights = np.exp(epsilon * np.array(score_nodes(problem, nodes, k)) / (2 * k))
    generator = np.random.default_rng(1)
    drawn = Counter(draw_levels(problem, k, epsilon, generator) for _ in range(4000))
    for node, chance in zip(nodes, weights / weights.sum(), strict=True):
        assert drawn[node] / 4000 == pytest.approx(chance, abs=5 * math.sqrt(chance / 4000) + 1e-3)


def test_large_classes_of_drawn_rows() -> None:
    class_of = np.array([0, 0, 0, 1, 1, 2])
    is_drawn = np.array([True, False, True, True, False, True])
    assert large_class_rows(class_of, is_drawn, 2).tolist() == [0, 2]


@pytest.fixture
def hierarchy_path(tmp_path: Path) -> str:
    for name in "ab":
        lines = [f"{v};{v // 2} half;*" for v in range(4)]
        (tmp_path / f"{name}.csv").write_text("\n".join(lines), encoding="utf-8")
    return str(tmp_path / "{column}.csv")


@pytest.mark.parametrize("levels", [{}, {"a": 1, "b": 2}])
def test_the_release_claims_it_and_keeps_it(hierarchy_path: str, levels: dict[str, int]) -> None:
    frame = pl.DataFrame({"a": [i % 4 for i in range(900)], "b": [i % 3 for i in range(900)]})
    method = SafePub(1.0, 1e-3, hierarchies=hierarchy_path, levels=levels)
    release = anonymize(frame, method, qi=["a", "b"], sa=[])
    (claim,) = release.claims
    epsilon = 1.0 if levels else 0.5
    assert claim.params["epsilon"] == epsilon
    assert claim.params["k"] == derive_k(epsilon, 1e-3)
    assert claim_checks.build(claim.rule, claim.params).check(release.public) == []
    assert 0 < release.public.rows < 900
    if levels:
        assert set(release.public.frame["a"]) <= {"0 half", "1 half"}
        assert set(release.public.frame["b"]) == {"*"}


def test_what_cannot_be_asked_for(hierarchy_path: str) -> None:
    frame = pl.DataFrame({"a": [i % 4 for i in range(90)], "b": [i % 3 for i in range(90)]})
    files = {"hierarchies": hierarchy_path}
    cases: list[tuple[dict[str, Any], dict[str, Any], type[Exception], str]] = [
        (files, {"seed": 1}, UsageError, "leave the seed out"),
        ({}, {}, UsageError, "give files of hierarchies"),
        ({"hierarchies": "auto"}, {}, UsageError, "give files of hierarchies"),
        ({"hierarchies": {"a": hierarchy_path}}, {}, UsageError, "give files of hierarchies"),
        (files, {"qi": ["a"], "sa": ["b"]}, UsageError, "must be a quasi-identifier; drop b"),
        (files | {"levels": {"c": 1}}, {}, UnknownNameError, "unknown column 'c'"),
        (files | {"levels": {"a": 3}}, {}, UsageError, "levels 0 to 2, not 3"),
        (files | {"levels": {"a": 0, "b": 0}}, {}, InputError, "no class of the sample"),
    ]
    for params, options, error, words in cases:
        with pytest.raises(error, match=words):
            anonymize(frame, SafePub(**params), **({"qi": ["a", "b"], "sa": []} | options))
    for epsilon, delta in ((0, 0.1), (1, 0), (1, 1)):
        with pytest.raises(UsageError, match="epsilon must be"):
            SafePub(epsilon, delta)


@pytest.mark.data
def test_k_is_one_below_arx(real_data: Path) -> None:
    """ARX's loop counts once too often after it has found k; see the README of the figures."""
    for record in _records(real_data, "dp_parameters"):
        assert derive_k(record["epsilon"], record["delta"]) == record["k"] - 1


@pytest.mark.data
def test_arx_leaves_out_as_many_rows_of_its_sample(real_data: Path) -> None:
    classes: dict[Any, np.ndarray] = {}
    records = _records(real_data, "dp_safepub_data_independent")
    for record in records:
        key = record["dataset"], tuple(record["fixed_levels"])
        if key not in classes:
            rows = recoded_adult(real_data, *key).select(QI)
            classes[key] = rows.select(pl.struct(pl.all()).rank("dense"))["sex"].to_numpy() - 1
        class_of = classes[key].astype(np.int64)
        is_drawn = np.array([x < record["beta"] for x in _java_doubles(len(class_of))])
        kept = large_class_rows(class_of, is_drawn, record["k"])
        assert int(is_drawn.sum()) == record["sample_size"]
        assert int(is_drawn.sum()) - len(kept) == record["suppressed"], record
    assert len(records) == 36


def _records(real_data: Path, kind: str) -> list[dict[str, Any]]:
    text = (real_data / "golden" / "arx_dp.json").read_text(encoding="utf-8")
    return [record for record in json.loads(text) if record["kind"] == kind]


def _java_doubles(n: int) -> list[float]:
    """java.util.Random(0xDEADBEEF as int).nextDouble()."""
    state = ((0xDEADBEEF - 2**32) ^ 0x5DEECE66D) & (2**48 - 1)
    doubles = []
    for _ in range(n):
        words = []
        for bits in (26, 27):
            state = (state * 0x5DEECE66D + 0xB) & (2**48 - 1)
            words.append(state >> (48 - bits))
        doubles.append(((words[0] << 27) + words[1]) / 2**53)
    return doubles

"""Who enforces and who verifies share no code, and reach the same verdict on larger tables."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

from tokumei.core.registry import build_params
from tokumei.tables.anonymizers.conditions import parse_condition
from tokumei.tables.data.table import Table
from tokumei.tables.verification.l_diversity import (
    EntropyLDiversity,
    LDiversity,
    RecursiveLDiversity,
)
from tokumei.tables.verification.t_closeness import TCloseness
from tokumei.tables.verification.value_frequency import AlphaK, BetaLikeness, DeltaDisclosure

KINDS: list[Any] = [
    AlphaK,
    BetaLikeness,
    DeltaDisclosure,
    EntropyLDiversity,
    LDiversity,
    RecursiveLDiversity,
    TCloseness,
]


VALUES = 12


PATHS = {str(v): [f"third {v // 3}", f"half {v // 6}", "*"] for v in range(VALUES)}


LEVELS = [[v // 3 for v in range(VALUES)], [v // 6 for v in range(VALUES)], [0] * VALUES]


TREE = {"t-hierarchical": {"hierarchy": PATHS}}


TEXTS = [
    *("l=5", "l=8", "entropy-l=4", "entropy-l=5.5", "recursive=1,3", "recursive=0.5,2"),
    *("alpha=0.3", "alpha=0.4", "t=0.2", "t=0.3", "t-ordered=0.05", "t-ordered=0.1"),
    *("t-hierarchical=0.15", "t-hierarchical=0.25", "beta=1", "beta=3"),
    *("enhanced-beta=1", "enhanced-beta=3", "delta=1", "delta=1.5"),
]


@pytest.fixture(scope="module")
def frame() -> pl.DataFrame:
    """6,000 rows in some 400 classes of 1 to 60 rows, values of very different frequency."""
    rng = np.random.default_rng(3)
    weights = 0.75 ** np.arange(VALUES)
    classes = np.repeat(np.arange(400), rng.integers(1, 30, 400) * rng.integers(1, 3, 400))
    values = rng.choice(VALUES, len(classes), p=weights / weights.sum())
    return pl.DataFrame({"a": classes, "s": values}).sample(fraction=1, shuffle=True, seed=1)


@pytest.mark.parametrize("text", TEXTS)
def test_both_sides_agree(text: str, frame: pl.DataFrame) -> None:
    condition = parse_condition(text, levels=LEVELS)
    kind = next(kind for kind in KINDS if kind.name == condition.rule)
    more = TREE.get(text.partition("=")[0], {})
    params = {**condition.params, **more, "columns": ["a"], "sensitive": ["s"]}
    faults = build_params(kind, params, where=text).check(Table.of(frame, qi=["a"], sa=["s"]))
    caught = {frame["a"][fault.line - 2] for fault in faults}

    histograms = np.zeros((400, VALUES), dtype=np.int64)
    np.add.at(histograms, (frame["a"].to_numpy(), frame["s"].to_numpy()), 1)
    held = condition.holds(histograms, histograms.sum(axis=1), histograms.sum(axis=0))
    assert caught == set(np.flatnonzero(~held).tolist())
    assert 0 < len(caught) < 400

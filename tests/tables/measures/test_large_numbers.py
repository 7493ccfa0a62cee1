"""Measures of numbers near the largest that a float holds: right or refused, without a warning."""

from __future__ import annotations

import warnings
from collections.abc import Iterator

import numpy as np
import polars as pl
import pytest

from tokumei.core.errors import InputError
from tokumei.core.randomness import Randomness
from tokumei.tables.comparisons import compare
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.diagnosis.diagnose import diagnose
from tokumei.tables.evaluation_suite import measure_suite
from tokumei.tables.registry import measures

LARGE = 2.0**1023
Q = [1, 1, 2, 2, 3, 3]
BEFORE = [1.0, -1.0, 0.5, 1.0, 0.25, 0.0]
AFTER = [0.5, -1.0, 1.0, 0.5, 0.25, 0.125]
OTHER = [0.5, -0.25, 1.0, 1.0, -1.0, 0.75]
TEXT = ["a", "b", "a", "a", "b", "b"]


@pytest.fixture(autouse=True)
def _no_warning() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def case(unit: float, *, text: bool = False) -> Comparison:
    def frame(values: list[float]) -> pl.DataFrame:
        scaled = {"s": [v * unit for v in values], "r": [v * unit for v in OTHER]}
        return pl.DataFrame({"q": Q, **scaled, **({"t": TEXT} if text else {})})

    names = ["s", "r", *(["t"] if text else [])]
    return compare(frame(BEFORE), frame(AFTER), qi=["q"], sa=names)


@pytest.mark.parametrize("text", [False, True])
@pytest.mark.parametrize("unit", [2.0**520, LARGE])
def test_figures_of_large_numbers_are_those_of_small_ones(unit: float, text: bool) -> None:
    small, large = case(1.0, text=text), case(unit, text=text)
    names = ["U1", "U2", "U4", "U5"]
    expected, found = measure_suite(small, names), measure_suite(large, names)
    for name in ("U4", "U5"):
        assert found[name].value == pytest.approx(expected[name].value, rel=1e-12)
    for name in ("U1", "U2"):
        assert found[name].value / unit == pytest.approx(expected[name].value, rel=1e-12)
        level = measures.get(name).scale(large, found[name])
        assert level is not None
        assert np.isfinite(level)


def test_a_figure_that_no_float_holds_is_refused() -> None:
    def column(value: float) -> pl.DataFrame:
        return pl.DataFrame({"q": Q, "s": [value] * 6})

    apart = compare(column(LARGE), column(-LARGE * 1.5), qi=["q"], sa=["s"])
    for name in ("U1", "U2"):
        with pytest.raises(InputError, match="so large"):
            measure_suite(apart, [name])


def test_a_diagnosis_of_large_numbers_has_the_symbols_of_small_ones() -> None:
    small, large = (
        {one.measure: one.measured for one in diagnose(case(u), rng=Randomness(1)).effects}
        for u in (1.0, LARGE)
    )
    assert large == small

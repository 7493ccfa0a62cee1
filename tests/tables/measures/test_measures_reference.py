"""Every measure against a loop written from the page's formula, on random small tables."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.small_tables import Small, beside, ends, middle, small_tables
from tables.measures.measures_reference_helpers import _case, _one_column
from tables.measures.measures_reference_samples import GENERAL, known, mean, texts, u2, u3
from tokumei.core.errors import InputError
from tokumei.core.measure import Score
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.data.table import Table
from tokumei.tables.registry import measures

THREE_SA = small_tables(rows=7, sa_columns=3, general_sa=True)


def x_column(case: Small, j: int) -> list[float]:
    return [float(case.sa_of(row)[j]) for row in case.original]


def y_column(case: Small, j: int) -> list[float | None]:
    return [middle(case.sa_of(row)[j]) for row in case.released]


def u1(case: Small) -> float:
    return mean(
        [abs(mean(x_column(case, j)) - mean(known(y_column(case, j)))) for j in range(len(case.sa))]
    )


def correlation(left: list[float | None], right: list[float | None]) -> float:
    """Pearson; a suppressed value counts as the column's mean, a constant column as 0."""
    a = [mean(known(left)) if v is None else v for v in left]
    b = [mean(known(right)) if v is None else v for v in right]
    ma, mb = mean(a), mean(b)
    spread = sum((v - ma) ** 2 for v in a) * sum((v - mb) ** 2 for v in b)
    if max(abs(v - ma) for v in a) < 1e-12 or max(abs(v - mb) for v in b) < 1e-12:
        return 0.0
    return sum((p - ma) * (q - mb) for p, q in zip(a, b, strict=True)) / math.sqrt(spread)


def u4(case: Small) -> float:
    n = range(len(case.sa))
    pairs = [(i, j) for i in n for j in n if i < j]
    return mean(
        [
            abs(
                correlation(list(x_column(case, i)), list(x_column(case, j)))
                - correlation(y_column(case, i), y_column(case, j))
            )
            for i, j in pairs
        ]
    )


def u5(case: Small) -> float:
    losses = []
    for j in range(len(case.sa)):
        column = x_column(case, j)
        width = max(column) - min(column)
        for released, origin in zip(y_column(case, j), case.link, strict=True):
            if released is None:
                losses.append(1.0)
            elif width:
                losses.append(abs(column[origin] - released) / width)
            else:
                losses.append(float(column[origin] != released))
    return mean(losses)


def sizes(case: Small) -> list[int]:
    return list(Counter(texts(case, row) for row in case.released).values())


def dm(case: Small) -> float:
    stars = ("*",) * len(case.qi)
    counts = Counter(texts(case, row) for row in case.released)
    gone = counts.pop(stars, 0) + len(case.original) - len(case.released)
    return sum(size**2 for size in counts.values()) + gone * len(case.original)


def gcp_sets(case: Small) -> float:
    return mean([_width(case, j, row[j]) for j in range(len(case.qi)) for row in case.released])


def _width(case: Small, j: int, cell: Any) -> float:
    values = {row[j] for row in case.original} - {None}
    if cell is None:
        return 0.0
    if cell == "*":
        return 1.0
    if j == 1:  # letters
        members = cell[1:-1].split(";") if str(cell).startswith("{") else [cell]
        return min(1.0, len(members) / len(values) if values else 1.0) if len(members) > 1 else 0.0
    low, high = ends(cell) or (0.0, 0.0)
    spread = max(values, default=0) - min(values, default=0)
    gap = 1 / max(len(values) - 1, 1) if beside(cell) is not None else 0.0
    return min(1.0, ((high - low) / spread if spread else float(high > low)) + gap)


def separation(case: Small) -> float:
    rows = [texts(case, row) for row in case.released]
    return mean([float(a != b) for a, b in combinations(rows, 2)])


def suda(case: Small) -> float:
    """Rows alone on some columns; a row that needs no column for it has no minimal set."""
    rows = [texts(case, row) for row in case.released]
    if len(rows) == 1:
        return 0.0
    sets = [columns for size in (1, 2) for columns in combinations(range(len(case.qi)), size)]

    def alone(row: tuple[str | None, ...], columns: tuple[int, ...]) -> bool:
        return [[r[j] for j in columns] for r in rows].count([row[j] for j in columns]) == 1

    return mean([float(any(alone(row, columns) for columns in sets)) for row in rows])


REFERENCE: dict[str, Callable[[Small], float]] = {
    "U1": u1,
    "U2": u2,
    "U3": u3,
    "U4": u4,
    "U5": u5,
    "U6": lambda case: len(case.original) - len(case.released),
    "S1": lambda case: min(sizes(case)),
    "S2": lambda case: len(case.released) / len(sizes(case)),
    "dm": dm,
    "c_avg": lambda case: len(case.released) / (len(sizes(case)) * min(sizes(case))),
    "gcp_sets": gcp_sets,
    "rows_kept": lambda case: len(case.released) / len(case.original),
    "highest_risk": lambda case: 1 / min(sizes(case)),
    "records_at_risk": lambda case: mean(
        [float(1 / n > 0.2) for n in sizes(case) for _ in range(n)]
    ),
    "marketer_risk": lambda case: len(sizes(case)) / len(case.released),
    "sample_uniques": lambda case: sizes(case).count(1) / len(case.released),
    "distinction": lambda case: len(sizes(case)) / len(case.released),
    "separation": separation,
    "suda": suda,
}


IN_FILES = {
    "ncp": "cell_width",
    "prec": "cell_width",
    "entropy_loss": "qi_information",
    "kl_divergence": "kl_divergence",
    "query_error": "query_error",
    "classification": "classification",
    "population_uniques": "population_uniques",
    "hellinger": "hellinger",
    "pmse": "propensity",
    "pmse_ratio": "propensity",
    "specks": "propensity",
    "regression": "regression",
    "il1s": "number_structure",
    "sse": "number_structure",
    "eigenvalues": "number_structure",
    "ambiguity": "ambiguity",
}
"""Measures whose reference needs a test file of its own."""


def test_there_is_a_reference_for_every_measure() -> None:
    assert {*REFERENCE, *IN_FILES} == set(measures.names())
    for name in set(IN_FILES.values()):
        assert (Path(__file__).parent / f"test_{name}.py").is_file(), name


@settings(max_examples=200)
@given(case=st.one_of(GENERAL, THREE_SA))
def test_measures_equal_their_formulas(case: Small) -> None:
    compared = case.case()
    for name, formula in REFERENCE.items():
        measure = measures.build(name)
        found, (low, high) = measure.score(compared).value, measure.bounds
        assert found == pytest.approx(formula(case), rel=1e-9, abs=1e-9), name
        assert low <= found <= high, name


@given(case=GENERAL)
def test_a_table_is_no_loss_to_itself(case: Small) -> None:
    rows = list(range(len(case.original)))
    same = Small(case.qi, case.sa, case.original, case.original, rows).case()
    for name in ("U1", "U2", "U3", "U4", "U5", "U6", "gcp_sets"):
        assert measures.build(name).score(same).value == 0, name


def test_tables_without_qi_or_without_sa_have_figures() -> None:
    frame = pl.DataFrame({"q": [1, 2, 2], "s": [1, 5, 9]})
    found = {}
    for qi, sa in ((["q"], []), ([], ["s"])):
        table = Table.of(frame, qi=qi, sa=sa)
        case = Comparison(table, table.take(np.array([2, 0])), np.array([2, 0]))
        found[bool(qi)] = {name: measures.build(name).score(case).value for name in REFERENCE}
    without_sa, without_qi = found[True], found[False]
    assert [without_sa[name] for name in ("U1", "U2", "U4", "U5")] == [0, 0, 0, 0]
    assert (without_sa["U3"], without_sa["S1"], without_sa["dm"]) == (0.5, 1, 1 + 1 + 3)
    # without QI the cross table has one cell, and everyone is in one class
    assert (without_qi["U2"], without_qi["U3"], without_qi["S1"]) == (0, 1, 2)
    assert (without_qi["dm"], without_qi["gcp_sets"]) == (4 + 3, 0)


def test_a_score_tells_only_what_it_knows() -> None:
    assert Score(0.5, sample=3).as_json() == {"value": 0.5, "sample": 3}
    assert Score(0.0, low=0.0, high=1.0, baseline=0.1).as_json()["low"] == 0


def test_c_avg_takes_a_given_k() -> None:
    rows = [[1, "a", 0, 0]] * 6
    case = Small(["q0", "q1"], ["s0", "s1"], rows, rows, list(range(6))).case()
    assert measures.build("c_avg", {"k": 2}).score(case).value == 3
    assert measures.build("c_avg").score(case).value == 1


@pytest.mark.parametrize(
    ("constant", "released", "loss"),
    [
        ([0.1, 0.1, 0.1], [0.1, 0.1, 0.1], 0.0),
        # the mean of three times 0.1 is 0.1 but for the last bit
        ([0.1, 0.1, 0.1], [(0.1 + 0.1 + 0.1) / 3] * 3, 0.0),
        ([0.1, 0.1, 0.1], [0.1, 0.1, 0.2], 1 / 3),
        ([0.0, 0.0, 0.0], [0.0, 0.0, 1e-300], 1 / 3),
    ],
)
def test_constant_column_counts_whole_cells(
    constant: list[float], released: list[float], loss: float
) -> None:
    case = _one_column(pl.Series(constant), pl.Series(released))
    assert measures.build("U5").score(case).value == pytest.approx(loss)


def test_rounding_in_a_constant_column_is_no_correlation() -> None:
    x = pl.DataFrame({"q": [1] * 3, "s": [0.1, 0.1, 0.1], "t": [1.0, 2.0, 3.0]})
    y = x.with_columns(s=pl.Series([0.1, 0.1, 0.1 + 1e-17 * 2]))
    assert measures.build("U4").score(_case(x, y, ["s", "t"])).value == 0


def test_gcp_of_a_column_without_values_and_of_text_among_numbers() -> None:
    empty = pl.DataFrame({"q": pl.Series([None, None], dtype=pl.Float64), "s": [1, 2]})
    assert measures.build("gcp_sets").score(_case(empty, empty, ["s"])).value == 0
    numbers = pl.DataFrame({"q": [1, 5], "s": [1, 2]})
    words = pl.DataFrame({"q": ["{low;mid}", "5"], "s": [1, 2]})
    with pytest.raises(InputError, match="neither values of the original"):
        measures.build("gcp_sets").score(_case(numbers, words, ["s"]))


def test_gcp_of_dates_and_times() -> None:
    dates = pl.DataFrame({"q": ["2024-01-01", "2024-01-11"], "s": [1, 2]})
    typed = dates.with_columns(pl.col("q").str.to_date())
    wide = pl.DataFrame({"q": ["[2024-01-01;2024-01-06]", "2024-01-11"], "s": [1, 2]})
    assert measures.build("gcp_sets").score(_case(typed, wide, ["s"])).value == 0.25
    times = typed.with_columns(pl.col("q").cast(pl.Datetime).dt.offset_by("6h"))
    half = pl.DataFrame({"q": ["[2024-01-01 06:00:00;2024-01-01 18:00:00]", "*"], "s": [1, 2]})
    assert measures.build("gcp_sets").score(_case(times, half, ["s"])).value == pytest.approx(0.525)

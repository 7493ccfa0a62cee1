"""The worked example's utility and safety figures, to the digits the page prints."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from support.paper import B, D, F, G, X, against_x
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.data.table import Table
from tokumei.tables.registry import measures

RELEASES = {"X": X, "B": B, "D": D, "F": F, "G": G}


@pytest.mark.parametrize(
    ("release", "measure", "value"),
    [
        # noise
        ("B", "U1", 1.25),
        ("B", "U2", 13.75),
        ("B", "U3", 0.0),
        ("B", "U4", 0.1139),
        ("B", "U5", 0.0406),
        # QI3 unified: two of three cells exist on one side only
        ("D", "U1", 0.0),
        ("D", "U2", 233.33),
        ("D", "U3", 1.3333),
        ("D", "U4", 0.0),
        ("D", "U5", 0.0),
        # microaggregated: means stay, correlation rises to 1
        ("F", "U1", 0.0),
        ("F", "U2", 0.0),
        ("F", "U3", 0.0),
        ("F", "U4", 0.2929),
        ("F", "U5", 0.2708),
        # swapped inside the classes: all aggregates stay
        ("G", "U1", 0.0),
        ("G", "U2", 0.0),
        ("G", "U3", 0.0),
        ("X", "U4", 0.0),
        ("X", "U5", 0.0),
        ("X", "U6", 0.0),
        ("X", "S1", 2.0),
        ("X", "S2", 2.0),
        ("X", "dm", 8.0),
        ("X", "c_avg", 1.0),
        ("X", "gcp_sets", 0.0),
        ("X", "rows_kept", 1.0),
    ],
)
def test_figures_of_the_page(release: str, measure: str, value: float) -> None:
    digits = 2 if value > 100 else 4
    found = measures.build(measure).score(against_x(RELEASES[release])).value
    assert round(found, digits) == value


def test_u1_of_b_by_hand() -> None:
    # means of X are 250 and 300; of B 250 and 302.5
    assert measures.build("U1").score(against_x(B)).value == (0 + 2.5) / 2


def test_mean_class_of_a_hundred_rows_in_ninety_seven_classes() -> None:
    frame = pl.DataFrame({"q": [*range(97), 0, 1, 2], "s": range(100)})
    table = Table.of(frame, qi=["q"], sa=["s"])
    case = Comparison(table, table, np.arange(100))
    assert round(measures.build("S2").score(case).value, 4) == 1.0309
    assert measures.build("S1").score(case).value == 1


def test_deleted_rows_are_counted() -> None:
    case = Comparison(X, X.take(np.array([0, 3])), np.array([0, 3]))
    assert measures.build("U6").score(case).value == 2
    assert measures.build("rows_kept").score(case).value == 0.5
    # the smallest possible change of counts: two cells, one row gone from each
    assert measures.build("U3").score(case).value == 1

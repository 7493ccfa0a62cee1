"""Tests of tokumei.files.frame_roundtrip."""

from decimal import Decimal

import pandas as pd
import polars as pl

from tokumei.files.frame_conversion import to_polars
from tokumei.files.frame_roundtrip import NativeFrameType
from tokumei.tables.data.simple_frame import require_simple_frame


def test_types_come_back_where_the_cells_allow():
    frame = pd.DataFrame(
        {
            "month": pd.period_range("2024-01", periods=4, freq="M"),
            "price": [Decimal("1.5"), None, Decimal(2), Decimal("2.5")],
            "day": pd.to_datetime(["2024-01-01", "2024-01-02", None, "2024-01-04"]),
        }
    )
    form = NativeFrameType.of(frame)
    read = require_simple_frame(to_polars(frame))
    assert (read.schema["price"], read.schema["day"]) == (pl.Float64, pl.Date)
    back = form.give(read)
    assert back["month"].dtype == "period[M]"
    assert back["price"].tolist()[0] == Decimal("1.5")
    assert isinstance(back["price"][3], Decimal)
    assert back["day"].dtype == frame["day"].dtype
    ranges = form.give(read.with_columns(month=pl.lit("[2024-01;2024-03]"), price=pl.lit("*")))
    assert ranges["month"].tolist() == ["[2024-01;2024-03]"] * 4
    assert ranges["price"].tolist() == ["*"] * 4

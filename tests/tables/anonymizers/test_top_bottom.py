"""Top and bottom coding by hand, and against sdcMicro where both replace by the limit."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

from support.golden_figures import adult_rows
from tokumei import anonymize
from tokumei.core.errors import UnknownNameError, UsageError
from tokumei.tables.anonymizers.top_bottom import TopBottom

FRAME = pl.DataFrame({"q": ["x"] * 6, "s": [1, 2, 3, 10, 20, None], "t": [0.5, 1, 2, 3, 4, 5]})


def cut(frame: pl.DataFrame, method: TopBottom) -> pl.DataFrame:
    sa = [name for name in frame.columns if name != "q"]
    return anonymize(frame, method, qi=["q"], sa=sa, seed=1, keep_order=True).public.frame


def test_by_hand() -> None:
    found = cut(FRAME, TopBottom(top={"s": 3}, bottom={"s": 2}))
    assert found["s"].to_list() == [1, 2, 3, 15, 15, None]
    assert found["s"].sum() == FRAME["s"].sum()
    assert found["t"].to_list() == FRAME["t"].to_list()
    found = cut(FRAME, TopBottom(top={"s": 3, "t": 2.5}, bottom={"s": 2}, replacement="limit"))
    assert found["s"].to_list() == [2, 2, 3, 3, 3, None]
    assert found["t"].to_list() == [0.5, 1, 2, 2.5, 2.5, 2.5]
    assert cut(FRAME, TopBottom(top={"s": 99}))["s"].to_list() == FRAME["s"].to_list()
    assert cut(FRAME, TopBottom(top={"s": 2}))["s"].to_list() == [1, 2, 11, 11, 11, None]


def test_what_cannot_be_asked_for() -> None:
    with pytest.raises(UsageError, match="must be below its top"):
        TopBottom(top={"s": 3}, bottom={"s": 3})
    with pytest.raises(UsageError, match="give limits"):
        cut(FRAME, TopBottom())
    with pytest.raises(UnknownNameError, match="unknown column 'u'"):
        cut(FRAME, TopBottom(top={"u": 3}))
    with pytest.raises(UsageError, match="'q' is no column of numbers"):
        cut(FRAME, TopBottom(top={"q": 3}))


@pytest.mark.data
def test_sdcmicro_cuts_the_same_cells(real_data: Path) -> None:
    text = (real_data / "golden" / "sdcmicro.json").read_text(encoding="utf-8")
    records = [
        one
        for one in json.loads(text)
        if one["kind"] == "topBotCoding"
        and one["dataset"] == "adult_first1000"
        and one["params"]["value"] == one["params"]["replacement"]
    ]
    ages = adult_rows(real_data, "first1000").select(q="sex", age=pl.col("age").cast(pl.Int64))
    assert len(records) == 2
    for one in records:
        limits = {one["params"]["kind"]: {"age": one["params"]["value"]}}
        found = cut(ages, TopBottom(**limits, replacement="limit"))["age"]
        figures = one["figures"]
        assert int((found != ages["age"]).sum()) == figures["changed"]
        assert (found.min(), found.max()) == (figures["min"], figures["max"])
        assert found.mean() == pytest.approx(figures["mean"])

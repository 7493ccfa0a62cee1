"""In and out as people work: pandas gives pandas, workbooks and CSV for Excel, one-liners."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import fastexcel
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import tokumei as tk
from tables.frames_in_and_out_helpers import ROWS, visits
from tables.frames_in_and_out_samples import released
from tokumei.files.excel_output import DEFAULT_SHEET
from tokumei.files.writing import write_frame


def test_pandas_gives_pandas_with_its_types_where_the_cells_allow() -> None:
    source = visits()
    release = released(source, k=25)
    frame = release.frame
    assert isinstance(frame, pd.DataFrame)
    assert [*frame.index] == [*range(ROWS)]
    untouched = [name for name in source.columns if name not in ("age", "sex")]
    assert {name: frame[name].dtype for name in untouched} == {
        name: source[name].dtype for name in untouched
    }
    assert frame["age"].map(type).eq(str).any()
    taken = source.iloc[release.link].reset_index(drop=True)
    pd.testing.assert_frame_equal(frame[untouched], taken[untouched])
    # A category that no released row has would tell of the source.
    assert "secret" not in list(frame["sex"].cat.categories)
    assert isinstance(released(source).to_pandas(), pd.DataFrame)


def test_unchanged_numbers_keep_their_type() -> None:
    source = pd.DataFrame({"age": [20, 30] * 30, "sex": ["M", "F"] * 30})
    frame = tk.anonymize(source, "mondrian", k=5, qi=["age", "sex"], seed=1).frame
    assert frame["age"].dtype == source["age"].dtype
    assert frame.sort_values("age")["age"].tolist() == sorted(source["age"])


def test_polars_and_arrow_give_their_own() -> None:
    polars = pl.from_pandas(visits().reset_index(drop=True))
    assert isinstance(released(polars).frame, pl.DataFrame)
    arrow = polars.to_arrow()
    assert isinstance(released(arrow).frame, pa.Table)
    assert released(arrow).to_polars().height == ROWS
    assert released(polars).to_arrow().num_rows == ROWS


class Relation:
    """Something that only gives a stream of Arrow, as relations of databases do."""

    def __init__(self, table: pa.Table) -> None:
        self.table = table

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self.table.__arrow_c_stream__(requested_schema)


def test_a_stream_of_arrow_is_a_frame() -> None:
    source = Relation(pa.table({"age": [1, 1, 2, 2], "sex": ["M", "F", "M", "F"]}))
    release = tk.anonymize(source, "mondrian", k=2, qi=["age", "sex"], seed=1)
    assert isinstance(release.frame, pl.DataFrame)
    assert release.frame.height == 4


def test_workbooks_hold_numbers_dates_and_text_but_no_formula(tmp_path: Path) -> None:
    frame = pl.DataFrame(
        {
            "code": ["007", "=1+1", "@x"],
            "n": [1, None, 3],
            "day": [dt.date(2024, 1, 2), None, dt.date(2024, 3, 4)],
            "yes": [True, False, None],
            "large": [2**60, 1, 2],
        }
    )
    for name in ("a.xlsx", "b.xlsx"):
        write_frame(frame, tmp_path / name)
    assert (tmp_path / "a.xlsx").read_bytes() == (tmp_path / "b.xlsx").read_bytes()
    book = fastexcel.read_excel(tmp_path / "a.xlsx")
    assert book.sheet_names == [DEFAULT_SHEET]
    read = book.load_sheet(DEFAULT_SHEET).to_polars()
    assert read["code"].to_list() == ["007", "=1+1", "@x"]
    assert read["n"].to_list() == [1, None, 3]
    assert [one and one.date() if hasattr(one, "date") else one for one in read["day"]] == [
        dt.date(2024, 1, 2),
        None,
        dt.date(2024, 3, 4),
    ]
    assert read["large"].to_list()[0] == str(2**60)
    with pytest.raises(tk.UsageError, match="too long"):
        write_frame(pl.DataFrame({"a": ["x" * 40_000]}), tmp_path / "c.xlsx")

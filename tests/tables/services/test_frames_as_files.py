"""A frame is read as the file of the same data: same columns, roles, gaps, people, same bytes."""

import datetime as dt
from decimal import Decimal
from pathlib import Path

import pandas as pd
import polars as pl
import pytest

import tokumei as tk

ROWS = 60
BASE = {
    "age": [20 + i % 30 for i in range(ROWS)],
    "sex": ["MF"[i % 2] for i in range(ROWS)],
    "pay": [100 * (i % 7) + 5 for i in range(ROWS)],
}
WIDE = {ord("0") + digit: ord("０") + digit for digit in range(10)}
FIRST = dt.date(2024, 1, 1)
COLUMNS = {
    "era": [f"令和{1 + i % 5}年{1 + i % 12}月1日" for i in range(ROWS)],
    "yen": [f"￥{1000 * (i % 9):,}" for i in range(ROWS)],
    "full width": [str(20 + i % 9).translate(WIDE) for i in range(ROWS)],
    "zip": [1000000 + 37 * i for i in range(ROWS)],
    "gaps": [None if i % 4 == 0 else i % 5 for i in range(ROWS)],
    "word gaps": ["N/A" if i % 9 == 0 else str(i % 5) for i in range(ROWS)],
    "day": [FIRST + dt.timedelta(i) for i in range(ROWS)],
    "midnight": [dt.datetime(2024, 1, 1) + dt.timedelta(i) for i in range(ROWS)],
    "decimal": [Decimal(2 * i + 1) / 2 for i in range(ROWS)],
    "whole decimal": [Decimal(i % 9) for i in range(ROWS)],
    "time": [dt.time(i % 24) for i in range(ROWS)],
}
ONLY_PANDAS = {
    "period": pd.period_range("2024-01", periods=ROWS, freq="M"),
    "category": pd.Categorical(["x", "y", "z"] * 20, categories=["z", "y", "x", "never"]),
    "numbered category": pd.Categorical([1, 2, 3] * 20),
    "nullable": pd.array([i % 5 if i % 4 else None for i in range(ROWS)], dtype="Int64"),
    "arrow string": pd.array(["a", None] * 30, dtype="string[pyarrow]"),
    "mixed": ["a", 1, None, 2.5] * 15,
    "sparse": pd.arrays.SparseArray([0, 1] * 30),
    "nothing": pd.array([None] * ROWS, dtype="string"),
}
FRAMES = {
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "arrow": lambda columns: pl.DataFrame(columns).to_arrow(),
}


def released(source, **roles):
    """The bytes of a release, its roles and what became of every column, and its source's hash."""
    release = tk.anonymize(source, "mondrian", k=4, seed=1, pass_rest=True, **roles)
    tk.save(release, "y.csv")
    found = Path("y.csv").read_bytes(), release.public.schema, release.account
    return found, release.provenance.source_sha256


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def same_as_file(frame, **roles):
    """Assert that frame and file give the same release; the file is as pandas writes it."""
    text = (
        frame
        if isinstance(frame, pd.DataFrame)
        else pl.DataFrame(frame).to_pandas().convert_dtypes()
    )
    text.to_csv("x.csv", index=any(text.index.names))
    by_file, digest = released("x.csv", **roles)
    assert released(frame, sha256=digest, **roles)[0] == by_file


@pytest.mark.parametrize("library", FRAMES)
@pytest.mark.parametrize("column", COLUMNS)
def test_frames_are_read_as_their_file(library, column):
    frame = FRAMES[library]({**BASE, "m": COLUMNS[column]})
    same_as_file(frame, qi=["age", "m"], sa="pay")


@pytest.mark.parametrize("column", ONLY_PANDAS)
def test_types_of_pandas_are_read_as_their_file(column):
    same_as_file(pd.DataFrame({**BASE, "m": ONLY_PANDAS[column]}), qi=["age", "sex"], sa="pay")


@pytest.mark.parametrize("library", FRAMES)
def test_roles_are_inferred_alike(library):
    frame = FRAMES[library]({**BASE, "zip": COLUMNS["zip"], "born": COLUMNS["era"]})
    same_as_file(frame)


def test_people_of_a_named_index_are_counted():
    frame = pd.DataFrame(BASE, index=pd.Index([f"P{i // 2:03}" for i in range(ROWS)], name="uid"))
    same_as_file(frame, qi=["age", "sex"], sa="pay", person="uid")
    with pytest.raises(tk.ClaimError, match="uid"):
        tk.anonymize(frame, k=4, qi=["age", "sex"], sa="pay")


@pytest.mark.parametrize("zone", [None, "Asia/Tokyo"])
def test_times_are_read_as_in_a_parquet_file(zone):
    times = pd.date_range("2024-01-01 10:20", periods=ROWS, freq="7h", tz=zone)
    frame = pl.DataFrame({**BASE, "m": pl.from_pandas(pd.Series(times))})
    frame.write_parquet("x.parquet")
    roles = {"qi": ["age", "m"], "sa": "pay", "k": 4, "seed": 1, "passed": "sex"}
    by_file = tk.anonymize("x.parquet", "mondrian", **roles)
    digest = by_file.provenance.source_sha256
    for source in (frame, frame.to_pandas(), frame.to_arrow()):
        release = tk.anonymize(source, "mondrian", sha256=digest, **roles)
        assert release.public.frame.equals(by_file.public.frame)


@pytest.mark.parametrize("hours", [0, 1])
def test_people_are_found_by_times_of_a_zone_as_by_those_of_none(hours):
    """Cells that the attacker cannot read would make a release look safer than it is."""
    days = pd.date_range("1970-01-01", periods=ROWS, freq="97D")
    times = days + pd.to_timedelta([hours * row for row in range(ROWS)], unit="h")
    plain = pd.DataFrame({**BASE, "m": times})
    zoned = pd.DataFrame({**BASE, "m": times.tz_localize("Asia/Tokyo")})
    roles = {"qi": ["age", "m"], "sa": "pay", "k": 4, "seed": 1, "passed": "sex"}
    found = [
        tk.attack(frame, tk.anonymize(frame, "mondrian", **roles), expected=True, seed=1)
        for frame in (plain, zoned)
    ]
    assert found[0]["linkage"].rate == found[1]["linkage"].rate > 0.9

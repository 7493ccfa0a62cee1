"""Anybody's history: customer, day and whatever else there is, under the user's own names."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import tokumei as tk
from tokumei.cli.app import main
from tokumei.core.text import use_language


def like_cdnow(rows: int = 900, customers: int = 120) -> pl.DataFrame:
    """Who, when, how many CDs, for how many dollars; no item."""
    draw = np.random.default_rng(1)
    who = np.concatenate([np.arange(customers), draw.integers(0, customers, rows - customers)])
    days = np.datetime64("1997-01-01") + draw.integers(0, 540, rows)
    return pl.DataFrame(
        {
            "date": [str(day).replace("-", "") for day in days],
            "CustomerNo": [f"{one:05d}" for one in who],
            "cds": draw.integers(1, 8, rows),
            "dollars": draw.lognormal(3, 0.7, rows).round(2),
            "clerk": ["x"] * rows,
        }
    )


COLUMNS = {"customer": "CustomerNo", "day": "date", "quantity": "cds", "price": "dollars"}


def test_a_history_without_items_is_released_with_its_own_columns(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, public, secret = (tmp_path / name for name in ("s.csv", "p.csv", "who.csv"))
    frame = like_cdnow()
    frame.write_csv(source)
    named = ",".join(f"{own}={name}" for own, name in COLUMNS.items())
    asked = ["anonymize", "history", "--format", "table", "--data", str(source), "--k", "4"]
    asked += ["--columns", named, "--method", "rank-match", "--seed", "1"]
    with pytest.raises(SystemExit) as done:
        main([*asked, "--public", str(public), "--secret", str(secret)])
    use_language(None)
    assert done.value.code == 0
    told = capsys.readouterr().err
    assert "Not used and not released: clerk" in told
    assert "The file has no item" in told
    released = pl.read_csv(public, infer_schema=False)
    assert released.columns == ["date", "CustomerNo", "cds", "dollars"]
    histories: dict[str, list[tuple[str, ...]]] = defaultdict(list)
    for day, who, cds, dollars in released.iter_rows():
        histories[who].append((day, cds, dollars))
    alike: dict[tuple[tuple[str, ...], ...], int] = defaultdict(int)
    for rows in histories.values():
        alike[tuple(sorted(rows))] += 1
    assert min(alike.values()) >= 4
    assert not {*released["CustomerNo"]} & {*frame["CustomerNo"]}


def test_in_python_one_value_is_enough_but_nothing_is_not() -> None:
    frame = like_cdnow().drop("clerk", "cds")
    history = tk.History.of(frame, customer="CustomerNo", day="date", price="dollars")
    assert [*history.names.values()] == ["date", "CustomerNo", "dollars"]
    release = tk.anonymize(history, "rank-match", k=3, seed=1)
    assert release.as_called(release.public).columns == ["date", "CustomerNo", "dollars"]
    with pytest.raises(tk.InputError, match="no column for item=item"):
        tk.History.of(frame.drop("dollars"), customer="CustomerNo", day="date")
    with pytest.raises(tk.InputError, match="no column for item=StockCode"):
        tk.History.of(frame, customer="CustomerNo", day="date", item="StockCode", price="dollars")


def test_compact_days_must_be_days() -> None:
    frame = pl.DataFrame({"customer": ["a", "b"], "day": ["19970131", "19970231"], "price": [1, 2]})
    with pytest.raises(tk.InputError, match="cannot be read as purchases"):
        tk.History.of(frame)

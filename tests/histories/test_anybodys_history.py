"""Anybody's history: customer, day and whatever else there is, under the user's own names."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path

import polars as pl
import pytest

import tokumei as tk
from histories.anybodys_history_samples import COLUMNS, like_cdnow
from tokumei.apps.cli.app import main
from tokumei.core.language import use_language


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
    assert release.with_source_names(release.public).columns == ["date", "CustomerNo", "dollars"]
    with pytest.raises(tk.InputError, match="no column for item=item"):
        tk.History.of(frame.drop("dollars"), customer="CustomerNo", day="date")
    with pytest.raises(tk.InputError, match="no column for item=StockCode"):
        tk.History.of(frame, customer="CustomerNo", day="date", item="StockCode", price="dollars")


def test_compact_days_must_be_days() -> None:
    frame = pl.DataFrame({"customer": ["a", "b"], "day": ["19970131", "19970231"], "price": [1, 2]})
    with pytest.raises(tk.InputError, match="cannot be read as part of a purchase"):
        tk.History.of(frame)


def _told(capsys: pytest.CaptureFixture[str], *asked: str) -> tuple[int, str]:
    with pytest.raises(SystemExit) as done:
        main([*asked])
    use_language(None)
    return int(done.value.code or 0), capsys.readouterr().out


def test_what_was_made_of_it_is_attacked_checked_measured_and_recorded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The manifest tells layout and columns; `--columns` does where there is none."""
    monkeypatch.chdir(tmp_path)
    like_cdnow(300, 40).write_csv("s.csv")
    named = ",".join(f"{own}={name}" for own, name in COLUMNS.items())
    made = [
        "anonymize",
        "history",
        "--format",
        "table",
        "--data",
        "s.csv",
        "--k",
        "4",
        "--seed",
        "1",
    ]
    made += ["--columns", named, "--method", "rank-match", "--public", "p.csv", "--out", "A.csv"]
    assert _told(capsys, *made, "--secret", "who.csv", "--json")[0] == 0
    code, out = _told(capsys, "attack", "--known", "s.csv", "--public", "p.csv", "--out", "g.csv")
    assert (code, pl.read_csv("g.csv").height) == (0, 40)
    assert _told(capsys, "check", "--public", "p.csv", "--k", "4")[0] == 0
    code, out = _told(capsys, "check", "--public", "p.csv", "--k", "5")
    assert code == 1
    assert "first on line 2" in out
    guess = ["check", "--original", "s.csv", "--public", "p.csv", "--guess", "g.csv"]
    assert _told(capsys, *guess)[0] == 0
    rows = ["--original", "s.csv", "--release", "A.csv", "--columns", named]
    assert _told(capsys, "check", *rows, "--k", "4")[0] == 0
    loss = json.loads(_told(capsys, "measure", "utility", *rows, "--json")[1])["loss"]
    assert 0 < loss < 1
    safety = ["measure", "safety", *rows, "--guess", "g.csv", "--json"]
    found = json.loads(_told(capsys, *safety)[1])
    truth = dict(pl.read_csv("who.csv", infer_schema=False).iter_rows())
    said = dict(pl.read_csv("g.csv", infer_schema=False).iter_rows())
    assert found["hits"] == sum(truth[one] == who for one, who in said.items())
    assert _told(capsys, "ledger", "init", "L", "--key-file", "key")[0] == 0
    add = ["ledger", "add", "L", "--release", "p.csv", "--secret", "who.csv", "--recipient", "A"]
    assert _told(capsys, *add)[0] == 0
    check = ["ledger", "check", "L", "--with", "p.csv", "--secret", "who.csv", "--json"]
    joint = json.loads(_told(capsys, *check)[1])
    assert joint["linked"]["k_min"] >= 4

"""Every method says what it does not protect against, and the page and the command repeat it."""

from pathlib import Path

import polars as pl
import pytest

from tokumei.apps.cli.app import main


@pytest.mark.parametrize(("k", "warned"), [(2, True), (3, False)])
def test_mondrian_with_two_rows_is_warned_of(tmp_path, monkeypatch, capsys, k, warned):
    monkeypatch.chdir(tmp_path)
    rows = {"age": [20 + i % 9 for i in range(40)], "sex": ["MF"[i % 2] for i in range(40)]}
    pl.DataFrame(rows).write_csv("x.csv")
    call = ["anonymize", "table", "--data", "x.csv", "--qi", "age,sex", "--k", str(k)]
    with pytest.raises(SystemExit) as stop:
        main([*call, "--out", "y.csv"])
    assert not stop.value.code
    assert Path("y.csv").exists()
    assert ("gives exact records away" in capsys.readouterr().err) == warned

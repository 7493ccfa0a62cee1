"""Personal data inside a text stops a release from disk, however far down it stands."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from fuzz.judged import run

ROWS = 21_000


def test_a_telephone_number_in_the_last_row_is_found(tmp_path: Path) -> None:
    source, out = tmp_path / "x.csv", tmp_path / "y.csv"
    remarks = ["moved", "no mailings", "call back"] * (ROWS // 3)
    frame = pl.DataFrame({"age": [20 + i % 40 for i in range(ROWS)], "remark": remarks})
    asked = ["anonymize", "table", "--data", str(source), "--qi", "age", "--k", "3"]
    asked += ["--engine", "stream", "--out", str(out)]
    frame.with_columns(kind=pl.col("remark")).drop("remark").write_csv(source)
    assert run(asked).code == 0
    frame[-1, "remark"] = "reach me at 090-1234-5678"
    frame.with_columns(kind=pl.col("remark")).drop("remark").write_csv(source)
    out.unlink()
    ran = run(asked)
    assert ran.code == 1
    assert "090-1234" not in ran.err
    assert not out.exists()

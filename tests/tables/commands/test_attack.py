"""Tests of tokumei.tables.commands.attack."""

from __future__ import annotations

from pathlib import Path

from fuzz.judged import run
from tables.people_not_rows_helpers import visits


def test_a_title_line_above_the_original_does_not_stop_an_attack(tmp_path: Path) -> None:
    source, out, link = (tmp_path / name for name in ("x.csv", "y.csv", "link.csv"))
    plain = visits().select("sex", "town", "cost").write_csv()
    source.write_text("Visits of a year,,\n" + plain, encoding="utf-8")
    base = ["anonymize", "table", "--data", str(source), "--qi", "sex,town", "--sa", "cost"]
    made = run([*base, "--k", "3", "--out", str(out), "--secret", str(link)])
    assert made.code == 0, made.err
    case = ["attack", "--original", str(source), "--release", str(out), "--truth", str(link)]
    told = run([*case, "--method", "E1"])
    assert told.code == 0, told.err

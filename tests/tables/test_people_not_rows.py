"""Attacks and risk count people where somebody has several rows."""

from __future__ import annotations

import json
from pathlib import Path

from fuzz.judged import run
from tables.people_not_rows_helpers import visits


def test_commands_count_people(tmp_path: Path) -> None:
    source, out, link = (str(tmp_path / name) for name in ("x.csv", "y.csv", "link.csv"))
    visits().write_csv(source)
    told = run(["risk", "--json", "--data", source, "--qi", "sex,town", "--person", "patient"])
    assert told.code == 0, told.err
    rows = json.loads(told.out)["rows"]
    assert rows == visits().select("sex", "town", "patient").n_unique() < visits().height
    base = ["anonymize", "table", "--data", source, "--qi", "sex,town", "--sa", "cost", "--id"]
    made = run([*base, "patient", "--person", "none", "--k", "3", "--out", out, "--secret", link])
    assert made.code == 0, made.err
    case = ["attack", "--json", "--original", source, "--release", out, "--truth", link]
    case += ["--method", "E1", "--expected"]
    by_rows = json.loads(run(case).out)["E1"]
    ran = run([*case, "--person", "patient"])
    by_people = json.loads(ran.out)["E1"]
    assert by_people["rate"] != by_rows["rate"]
    assert "patient" in ran.err
    assert run([*case, "--person", "nobody"]).code == 2

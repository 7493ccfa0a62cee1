"""Attacks and risk count people where somebody has several rows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl

from fuzz.judged import run
from tables.people_not_rows_helpers import people_by, visits


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


def conformed(*files: str) -> dict[str, Any]:
    """The check of k that `conform` reports."""
    told = run(["conform", "--json", *files, "--qi", "sex,town", "--sa", "cost"])
    return {one["id"]: one for one in json.loads(told.out)["checks"]}["person-k"]


def test_conformity_counts_the_people_that_the_side_file_tells_apart(tmp_path: Path) -> None:
    source, out, link = (str(tmp_path / name) for name in ("x.csv", "y.csv", "link.csv"))
    twice = pl.concat([visits().unique("patient", maintain_order=True)] * 2)
    twice.write_csv(source)
    assert run(["look", source, "--save"]).code == 0
    case = ("--original", source, "--release")
    shown = conformed(*case, source)
    people = people_by(twice, ("sex", "town")).values()
    assert shown["figures"]["k"] == min(map(len, people))
    twice.select("sex", "town", "cost").write_csv(out)
    untraced = conformed(*case, out)
    assert untraced["figures"]["k"] == 2 * min(map(len, people))
    assert untraced["verdict"] == "NEEDS-HUMAN"
    pl.DataFrame({"released": range(60), "original": range(60)}).write_csv(link)
    assert conformed(*case, out, "--truth", link)["figures"] == shown["figures"]

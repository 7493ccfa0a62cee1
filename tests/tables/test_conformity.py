"""Tests of tokumei.tables.conformity."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl

from fuzz.judged import run
from tables.people_not_rows_helpers import people_by, visits


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

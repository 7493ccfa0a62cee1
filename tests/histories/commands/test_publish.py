"""Tests of tokumei.histories.commands.publish."""

from __future__ import annotations

import json
from pathlib import Path

from apps.cli.histories_scene import made as made
from apps.cli.histories_scene import tokumei as tokumei


def test_check_lists_what_is_wrong_and_exits_with_1(tokumei, made):
    assert json.loads(tokumei("check", "--format", "pws2018", "--original", made["T"], "--release",
                              made["A"], "--k", "3", "--json").out) == {
        "ok": True, "total": 0, "faults": []}  # fmt: skip
    done = tokumei("check", "--format", "pws2018", "--original", made["T"], "--release",
                   made["A"], "--k", "4", "--json", code=1)  # fmt: skip
    assert json.loads(done.out)["faults"][0]["rule"] == "identical-histories"
    path = Path(made["A"])
    text = path.read_text(encoding="utf-8").splitlines()
    first = next(i for i, line in enumerate(text) if not line.startswith("*"))
    cells = text[first].split(",")
    text[first] = ",".join([cells[0], "2011/13/1", *cells[2:]])
    path.write_text("\n".join(text) + "\n", encoding="utf-8")
    done = tokumei("check", "--format", "pws2018", "--original", made["T"], "--release",
                   made["A"], "--json", code=1)  # fmt: skip
    fault = json.loads(done.out)["faults"][0]
    assert (fault["line"], fault["column"]) == (first + 1, "day")
    tokumei("publish", "--format", "pws2018", "--original", made["T"], "--release", made["A"],
            "--public", made["A1"], "--secret", made["F"], code=1)  # fmt: skip
    assert not Path(made["A1"]).exists()

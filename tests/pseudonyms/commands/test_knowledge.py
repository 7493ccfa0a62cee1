"""Tests of tokumei.pseudonyms.commands.knowledge."""

from __future__ import annotations

from pathlib import Path

from apps.cli.periods_scene import lines
from apps.cli.periods_scene import made as made
from apps.cli.periods_scene import tokumei as tokumei


def test_knowledge_of_both_formats(tokumei, made):
    done = tokumei("knowledge", "--format", "pws2017", "--data", "T.csv", "--alpha", 0.25,
                   "--prefix", "item=2", "--seed", 1, "--out", "T25.csv", "--json")  # fmt: skip
    assert done.json["known"] == 375
    known = lines("T25.csv")
    assert known.count("DEL,,,,,,") == 1125
    assert {len(line.split(",")[4]) for line in known} == {0, 2}
    plain = [line.split(",") for line in lines("T.csv")]
    Path("T18.csv").write_text("".join(f"{c},{d},{i},{p},{q}\n" for c, _, d, _, i, p, q in plain))
    tokumei("knowledge", "--format", "pws2018", "--data", "T18.csv", "--points", 2, "--people", 0.5,
            "--from", "2022-12", "--to", "2023-05", "--noise", "price=0.1", "--wrong", 0.1,
            "--coarse", "day=month,price=1", "--seed", 1, "--out", "K.csv")  # fmt: skip
    assert 15 <= len(lines("K.csv")) <= 30
    assert {line.count(",") for line in lines("K.csv")} == {4}
    assert {line.split(",")[1].split("/")[2] for line in lines("K.csv")} == {"1"}

"""A table with gaps in QI, in a number and in a text through the commands."""

from __future__ import annotations

import random
from pathlib import Path

import polars as pl
import pytest

SIDES = ["--original", "x.csv", "--release", "y.csv", "--truth", "link.csv"]


def people(rows: int = 120) -> pl.DataFrame:
    chance = random.Random(4)
    return pl.DataFrame(
        {
            "age": [chance.choice([None, *range(20, 40)]) for _ in range(rows)],
            "sex": [chance.choice(["f", "m", None]) for _ in range(rows)],
            "pay": [chance.choice([None, *range(100, 900, 7)]) for _ in range(rows)],
            "ill": [chance.choice([None, "flu", "cold", "asthma"]) for _ in range(rows)],
        }
    )


@pytest.fixture
def released(tokumei) -> pl.DataFrame:
    """x.csv, and y.csv made of it by Mondrian and swap."""
    frame = people()
    frame.write_csv("x.csv")
    ran = tokumei(
        *["anonymize", "table", "--data", "x.csv", "--qi", "age,sex", "--sa", "pay,ill"],
        *["--method", "mondrian,swap", "--set", "mondrian.k=4", "--seed", "1"],
        *["--out", "y.csv", "--secret", "link.csv"],
    )
    assert ran.code == 0, ran.err
    return frame


def gaps_of(frame: pl.DataFrame) -> dict[str, tuple[int, int]]:
    after = pl.read_csv("y.csv", infer_schema=False)
    return {n: (frame[n].null_count(), after[n].null_count()) for n in frame.columns}


def test_the_attacks_use_every_row(tokumei, released) -> None:
    ran = tokumei("attack", *SIDES, "--seed", "1", "--json")
    assert ran.code == 0, ran.err
    for name in ("E1", "E2", "E3", "E4", "EUC1", "EUC2", "linkage", "everything"):
        assert ran.json[name]["released"] == released.height
        assert ran.json[name]["answered"] == released.height
    listed = ", ".join(f"{n} {a} → {b}" for n, (a, b) in gaps_of(released).items())
    assert f"Missing cells, original → release: {listed}" in ran.err
    assert "ill: not only numbers; compared as text" in ran.err


def test_measures_say_over_how_many_cells_they_are(tokumei, released) -> None:
    ran = tokumei("measure", "utility", *SIDES, "--json")
    link = pl.read_csv("link.csv").sort("released")["original"]
    before, after = released[link], pl.read_csv("y.csv", infer_schema=False)
    pairs = [(before[n].is_null(), after[n].is_null()) for n in ("pay", "ill")]
    wanted = {
        "cells": 2 * released.height,
        "used": sum(int((~x & ~y).sum()) for x, y in pairs),
        "gained": sum(int((~x & y).sum()) for x, y in pairs),
        "lost": sum(int((x & ~y).sum()) for x, y in pairs),
    }
    assert ran.json["gaps"] == dict.fromkeys(("U1", "U2", "U4", "U5"), wanted)
    words = tokumei("measure", "utility", *SIDES)
    assert f"U1, U2, U4, U5: over {wanted['used']} of {wanted['cells']} cells; gaps" in words.out
    assert "U5: Of text it is the share of cells that changed." in words.out
    assert "セルで計算" in tokumei("measure", "utility", *SIDES, "--lang", "ja").out


def test_diagnosis_finds_the_methods_and_lists_the_gaps(tokumei, released) -> None:
    ran = tokumei("diagnose", *SIDES, "--seed", "1", "--json")
    assert ran.json["methods"] == ["A", "G"]
    found = {one["column"]: (one["before"], one["after"]) for one in ran.json["gaps"]}
    assert found == gaps_of(released)
    assert "Missing cells" in tokumei("diagnose", *SIDES, "--seed", "1").out


def test_conformity_has_a_row_for_every_column_with_gaps(tokumei, released) -> None:
    ran = tokumei("conform", *SIDES, "--seed", "1", "--json")
    rows = {check["id"]: check for check in ran.json["checks"]}
    for name, (before, after) in gaps_of(released).items():
        one = rows[f"missing-cells:{name}"]
        assert (one["figures"]["before"], one["figures"]["after"]) == (before, after)
        assert one["verdict"] == ("NEEDS-HUMAN" if after == 1 else "PASS")


def test_few_gaps_are_left_to_a_human(tokumei) -> None:
    pl.DataFrame({"a": [1, 1, 2, 2], "s": [5, None, 7, 8]}).write_csv("x.csv")
    ran = tokumei("conform", "--original", "x.csv", "--release", "x.csv", "--qi", "a", "--json")
    (row,) = [one for one in ran.json["checks"] if one["id"] == "missing-cells:s"]
    assert row["verdict"] == "NEEDS-HUMAN"
    assert row["figures"] == {"before": 1, "after": 1}


def test_words_for_nothing_among_numbers_are_missing(tokumei) -> None:
    pl.DataFrame({"a": [1, 1, 1], "s": ["5", "未測定", "7"]}).write_csv("x.csv")
    pl.DataFrame({"a": [1, 1, 1], "s": [5, None, 7]}).write_csv("y.csv")
    ran = tokumei("conform", "--original", "x.csv", "--release", "y.csv", "--qi", "a", "--json")
    (row,) = [one for one in ran.json["checks"] if one["id"] == "missing-cells:s"]
    assert row["figures"] == {"before": 1, "after": 1}


def test_a_recipe_and_its_report(tokumei, released) -> None:
    Path("r.yaml").write_text(
        "data: {file: x.csv, qi: [age, sex], sa: [pay, ill]}\n"
        "releases:\n"
        "  - {name: alike, steps: [{method: mondrian, k: 4}, {method: microaggregate}]}\n",
        encoding="utf-8",
    )
    ran = tokumei("run", "r.yaml", "--seed", "1", "--out", "results")
    assert ran.code == 0, ran.err
    page = Path("results/report.html").read_text(encoding="utf-8")
    section = page[page.index("Missing cells, before and after") :]
    section = section[: section.index("</table>")]
    for name in ("age", "sex", "pay", "ill"):
        assert f'class="name">{name}</th>' in section
    assert f"{released['pay'].null_count() / released.height:.1%}"[:-1] in section

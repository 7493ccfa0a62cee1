"""Attacks read every notation, and see what is public (lines 13 and 14)."""

import json
import random
import re
from pathlib import Path

import polars as pl
import pytest

from fuzz.judged import run
from independent.cells import read_cells
from independent.originals import read_link

ROWS = 400
NOTATIONS = {
    "[a;b]": (r"[\1;\2]", ";"),
    "[a, b]": (r"[\1, \2]", ", "),
    "a-b": (r"\1-\2", ","),
    "a~b": (r"\1~\2", ", "),
    "a..b": (r"\1..\2", ","),
    "[a-b]": (r"[\1-\2]", ", "),
}


@pytest.fixture
def released(tmp_path, monkeypatch):
    """A table and a release of it by intervals and sets, with its link."""
    monkeypatch.chdir(tmp_path)
    draw = random.Random(11)
    frame = {
        "age": [draw.randint(18, 80) for _ in range(ROWS)],
        "job": [draw.choice(["clerk", "cook", "nurse", "smith"]) for _ in range(ROWS)],
        "illness": [draw.choice(["flu", "cold", "gout", "none"]) for _ in range(ROWS)],
    }
    pl.DataFrame(frame).write_csv("x.csv")
    args = ["anonymize", "table", "--data", "x.csv", "--qi", "age,job", "--k", "5"]
    ran = run([*args, "--out", "y.csv", "--secret", "link.csv", "--seed", "1"])
    assert ran.code == 0, ran.err


def attack(*args, release="y.csv", methods="linkage"):
    files = ["--original", "x.csv", "--release", release, "--truth", "link.csv"]
    how = ["--methods", methods, "--seed", "1", "--json"]
    ran = run(["attack", "--format", "table", *files, *how, *args])
    assert ran.code == 0, ran.err
    return {name: one["rate"] for name, one in json.loads(ran.out).items() if "rate" in one}


def rewritten(interval, comma):
    """The release with its intervals and sets in another notation."""
    header = Path("y.csv").read_text().splitlines()[0]
    cells = read_cells("y.csv")
    rows = [header]
    for row in cells.rows:
        new = [re.sub(r"^\[(\d+);(\d+)\]$", interval, str(cell)) for cell in row]
        new = [cell.replace(";", comma) if cell.startswith("{") else cell for cell in new]
        rows.append(",".join(f'"{cell}"' for cell in new))
    Path("z.csv").write_text("\n".join(rows) + "\n")


def by_plain_loops(columns):
    """The chance of naming the right row among those whose cells fit."""
    original, public, link = read_cells("x.csv"), read_cells("y.csv"), read_link("link.csv")
    known = original.texts(columns)
    right = 0.0
    for cells, truth in zip(public.texts(columns), link, strict=True):
        fits = [all(map(_fits, cells, values)) for values in known]
        right += fits[truth] / sum(fits)
    return right / len(link)


def _fits(cell, value):
    if ends := re.fullmatch(r"\[(\d+);(\d+)\]", cell):
        return int(ends[1]) <= int(value) <= int(ends[2])
    if cell.startswith("{"):
        return value in cell[1:-1].split(";")
    return cell in ("*", value)


@pytest.mark.usefixtures("released")
@pytest.mark.parametrize("notation", list(NOTATIONS))
def test_the_same_release_in_another_notation_is_attacked_as_well(notation):
    rewritten(*NOTATIONS[notation])
    found = attack("--qi", "age,job", "--expected", release="z.csv")["linkage"]
    assert found == pytest.approx(by_plain_loops(["age", "job"]), abs=0.002)


@pytest.mark.usefixtures("released")
def test_a_public_text_column_is_used_whether_it_is_named_or_not():
    expected = by_plain_loops(["age", "job", "illness"])
    named = attack("--qi", "age,job", "--sa", "illness", "--expected", methods="all")
    unnamed = attack("--qi", "age,job", "--expected", methods="all")
    assert named["everything"] == pytest.approx(expected, abs=1e-9)
    assert unnamed["everything"] == pytest.approx(expected, abs=1e-9)
    # linkage answers one-to-one, and among people who are alike that is a draw: it may be lucky.
    drawn = 3 * (expected * (1 - expected) / pl.read_csv("y.csv").height) ** 0.5
    assert unnamed["strongest"] >= named["linkage"] - drawn
    others = {name: rate for name, rate in named.items() if name not in ("linkage", "strongest")}
    assert unnamed["strongest"] >= max(others.values()) - 1e-9


@pytest.mark.usefixtures("released")
def test_the_figure_that_counts_never_goes_down_when_a_public_column_is_left_unnamed():
    named = attack("--qi", "age,job,illness", "--expected", methods="all")
    for some in ("age,job", "age,illness", "job,illness", "age", "job", "illness"):
        unnamed = attack("--qi", some, "--expected", methods="all")
        assert unnamed["everything"] == pytest.approx(named["everything"], abs=1e-9)
        assert unnamed["strongest"] >= named["strongest"] - 1e-9


@pytest.mark.usefixtures("released")
def test_a_unique_column_that_passed_finds_everybody():
    for name, first in (("x.csv", None), ("y.csv", read_link("link.csv"))):
        frame = pl.read_csv(name)
        numbers = pl.Series("ticket", first or range(frame.height)) * 7919 % 10007
        frame.with_columns(numbers).write_csv(name)
    found = attack("--qi", "age,job", "--expected", methods="all")
    assert found["everything"] == found["strongest"] == 1.0


@pytest.mark.usefixtures("released")
def test_known_columns_narrow_the_attacker_beside_the_whole_figure():
    found = attack("--qi", "age,job", "--known", "age", "--expected", methods="E1")
    assert found["known"] == pytest.approx(by_plain_loops(["age"]), abs=1e-9)
    assert (
        found["strongest"]
        == found["everything"]
        == pytest.approx(by_plain_loops(["age", "job", "illness"]), abs=1e-9)
    )


@pytest.mark.usefixtures("released")
def test_attacks_that_compare_text_say_so_of_cells_that_stand_for_several():
    files = ["--original", "x.csv", "--release", "y.csv", "--truth", "link.csv", "--qi", "age,job"]
    warned = run(["attack", "--format", "table", *files, "--methods", "E1"])
    assert "compare quasi-identifiers as text" in warned.err
    read = run(["attack", "--format", "table", *files, "--methods", "E1,linkage"])
    assert "compare quasi-identifiers as text" not in read.err


@pytest.mark.usefixtures("released")
def test_means_of_groups_are_not_taken_for_a_false_link():
    frame = pl.read_csv("x.csv").with_columns(age=pl.col("age") // 10 * 10 + 4)
    frame.gather(read_link("link.csv")).write_csv("z.csv")
    files = ["--original", "x.csv", "--release", "z.csv", "--truth", "link.csv", "--qi", "age,job"]
    ran = run(["attack", "--format", "table", *files])
    assert ran.code == 0, ran.err
    assert "Yamaoka" not in ran.out + ran.err


@pytest.mark.usefixtures("released")
def test_a_label_that_nothing_explains_refuses_the_figure_and_accuses_nobody():
    frame = pl.read_csv("y.csv").with_columns(
        job=pl.when(pl.col("job") == "cook").then(pl.lit("kitchen")).otherwise("job")
    )
    frame.write_csv("z.csv")
    files = ["--original", "x.csv", "--release", "z.csv", "--truth", "link.csv", "--qi", "age,job"]
    rows = frame["job"].to_list().count("kitchen")
    commands = [
        ["attack", "--format", "table"],
        ["attack", "--format", "table", "--methods", "E1"],
        ["measure", "utility", "--method", "ncp"],
        ["diagnose"],
    ]
    for command in commands:
        refused = run([*command, *files, "--json"])
        assert refused.code == 2
        assert f"column 'job': {rows} cells (1 different" in refused.out
        assert "--hierarchies" in refused.out
        assert "kitchen" not in refused.out
    Path("h_age.csv").write_text("".join(f"{age};*\n" for age in range(18, 81)))
    jobs = {"clerk": "office", "cook": "kitchen", "nurse": "ward", "smith": "forge"}
    Path("h_job.csv").write_text("".join(f"{job};{place};*\n" for job, place in jobs.items()))
    explained = run(["attack", "--format", "table", *files, "--hierarchies", "h_{column}.csv"])
    assert explained.code == 0
    assert "Yamaoka" not in explained.out + explained.err

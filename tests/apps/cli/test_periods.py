"""Pseudonyms over time on the command line: the contract, exit codes, secrets."""

from __future__ import annotations

from pathlib import Path

import pytest

from apps.cli.periods_scene import TRUTH, lines
from apps.cli.periods_scene import made as made
from apps.cli.periods_scene import tokumei as tokumei


def planted(row, column, value):
    """A.csv with one cell replaced."""
    table = [line.split(",") for line in lines("A.csv")]
    table[row][column] = value
    Path("B.csv").write_text("\n".join(map(",".join, table)) + "\n")


def first_pair():
    """Two rows of one customer and month, and a row of another customer in it, all kept."""
    truth = [line.split(",") for line in lines("T.csv")]
    kept = [row for row, line in enumerate(lines("A.csv")) if not line.startswith("DEL")]
    month = [(line[0], "/".join(line[2].split("/")[:2])) for line in truth]
    one = kept[0]
    same = next(row for row in kept[1:] if month[row] == month[one])
    other = next(
        row for row in kept if month[row][1] == month[one][1] and truth[row][0] != truth[one][0]
    )
    return one, same, other


def test_each_planted_fault_is_reported_with_line_and_rule(tokumei, made):
    one, same, other = first_pair()
    name = lines("A.csv")[one].split(",")[0]
    customer = lines("M.csv")[0].split(",")[0]
    day = lines("T.csv")[one].split(",")[2].split("/")
    outside = f"{day[0]}/{int(day[1]) % 12 + 1}/1"
    faults = [
        ((same, 0, "second"), "one-pseudonym"),
        ((other, 0, name), "one-customer"),
        ((one, 0, customer), "pseudonym-is-customer"),
        ((one, 2, outside), "same-month"),
        ((one, 4, "nothing"), "unknown-item"),
    ]
    for (row, column, value), rule in faults:
        planted(row, column, value)
        done = tokumei("check", *TRUTH, "--release", "B.csv", "--json", code=1).json
        assert (row + 1, rule) in {(fault["line"], fault["rule"]) for fault in done["faults"]}
    Path("B.csv").write_text("\n".join(lines("A.csv")[:-1]) + "\n")
    done = tokumei("check", *TRUTH, "--release", "B.csv", "--json", code=1).json
    assert [(f["line"], f["rule"]) for f in done["faults"]] == [(1500, "rows")]
    tokumei("check", *TRUTH, "--release", "A.csv")
    tokumei(
        "publish", *TRUTH, "--release", "B.csv", "--public", "x.csv", "--secret", "y.csv", code=1
    )
    assert not Path("x.csv").exists()


def test_a_wrong_fourth_guess_file_is_named(tokumei, made):
    wrong = lines("F.csv")
    Path("G4.csv").write_text("\n".join(wrong[:1] + wrong[2:]) + "\n")
    guesses = [part for name in ("F", "F", "F", "G4") for part in ("--guess", f"{name}.csv")]
    args = ("check", *TRUTH, "--public", "S.csv", *guesses)
    done = tokumei(*args, "--json", code=1).json
    assert [(f["line"], f["rule"]) for f in done["faults"]] == [(30, "missing-customer")]
    assert done["faults"][0]["message_en"].startswith("G4.csv: ")
    assert tokumei(*args[:-2], "--json").json == {"ok": True, "total": 0, "faults": []}
    without = ("check", "--format", "pws2017", "--master", "M.csv", "--public", "S.csv", *guesses)
    assert tokumei(*without, code=1).out.startswith("G4.csv: ")


@pytest.mark.parametrize(
    "args",
    [
        ("anonymize", "history", "--format", "pws2017", "--data", "T.csv", "--out", "B.csv"),
        ("anonymize", "history", "--format", "pws2017", "--data", "T.csv", "--master", "M.csv",
         "--k", "3", "--out", "B.csv"),
        ("anonymize", "history", "--format", "pws2017", "--data", "T.csv", "--master", "M.csv",
         "--day", "32", "--out", "B.csv"),
        ("anonymize", "history", "--format", "pws2017", "--data", "T.csv", "--master", "M.csv",
         "--out", "M.csv"),
        ("publish", "--format", "pws2017", "--original", "T.csv", "--release", "A.csv",
         "--public", "B.csv", "--secret", "C.csv"),
        ("publish", *TRUTH, "--release", "A.csv", "--public", "M.csv", "--secret", "C.csv"),
        ("check", "--format", "pws2017", "--original", "T.csv", "--release", "A.csv"),
        ("check", *TRUTH, "--guess", "F.csv"),
        ("knowledge", "--data", "T.csv", "--out", "T.csv"),
        ("knowledge", "--data", "T.csv", "--prefix", "item=two", "--out", "B.csv"),
        ("knowledge", "--data", "T.csv", "--format", "table", "--out", "B.csv"),
        ("sample", "history", "--format", "pws2017", "--out", "B.csv"),
    ],
)  # fmt: skip
def test_wrong_usage_is_told_apart_and_writes_nothing(tokumei, made, args):
    before = {path.name: path.read_bytes() for path in made.iterdir()}
    assert tokumei(*args, "--json", code=2).json["ok"] is False
    assert {path.name: path.read_bytes() for path in made.iterdir()} == before


def test_without_a_seed_no_two_releases_share_a_pseudonym(tokumei, made):
    names = []
    for out in ("B.csv", "C.csv"):
        tokumei("anonymize", "history", "--format", "pws2017", "--data", "T.csv", "--master",
                "M.csv", "--out", out)  # fmt: skip
        names.append({line.split(",")[0] for line in lines(out)})
    assert not names[0] & names[1]


@pytest.mark.usefixtures("made")
@pytest.mark.parametrize(
    ("command", "option"),
    [
        (("check", *TRUTH, "--release", "A.csv"), ("--k", 3)),
        (("check", *TRUTH, "--release", "A.csv"), ("--model", "t=0.2")),
        (("check", "--format", "pws2018", "--original", "T.csv", "--release", "A.csv"), ("--l", 2)),
        (
            ("publish", *TRUTH, "--release", "A.csv", "--public", "P.csv", "--secret", "Q.csv"),
            ("--k", 3),
        ),
        (
            ("anonymize", "history", "--format", "pws2017", "--data", "T.csv", "--master", "M.csv",
             "--out", "P.csv"),
            ("--categories", "prefix:2"),
        ),
        (("measure", "utility", *TRUTH, "--release", "A.csv"), ("--qi", "sex")),
        (
            ("measure", "safety", "--format", "pws2017", "--secret", "F.csv", "--guess", "F.csv"),
            ("--release", "A.csv"),
        ),
        (
            ("measure", "safety", "--original", "T.csv", "--release", "A.csv", "--guess", "G.csv"),
            ("--secret", "F.csv"),
        ),
    ],
)  # fmt: skip
def test_options_that_the_format_does_not_use_are_refused(tokumei, command, option):
    assert f"does not use {option[0]}" in tokumei(*command, *option, code=2).err
    assert not Path("P.csv").exists()


def test_of_tables_the_master_is_sparks(tokumei):
    check = ("check", "--release", "S.csv", "--qi", "a", "--k", 2)
    for option in ("--cluster", "--master"):
        assert (
            "--cluster needs --engine spark (older name: --master)"
            in tokumei(*check, option, "M.csv", code=2).err
        )


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (("--guess", "F.csv", "--public", "S.csv", "--release", "A.csv"), "--release"),
        (("--original", "T.csv", "--release", "A.csv", "--public", "S.csv"), "--public"),
    ],
)
def test_files_that_a_check_does_not_look_at_are_refused(tokumei, more, message):
    check = ("check", "--format", "pws2017", "--master", "M.csv")
    assert f"does not use {message}" in tokumei(*check, *more, code=2).err

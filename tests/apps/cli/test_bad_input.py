"""Bad input: a clear message naming file, line, column and value; exit 2; no output left."""

import subprocess
import sys
from pathlib import Path

import pytest

GOOD = "age,sex,pay\n30,m,100\n30,m,200\n40,f,300\n40,f,400\n"
ROLES = {"--qi": "age,sex", "--sa": "pay"}
NAMED = [word for role in ROLES.items() for word in role]


def anonymize(tokumei, *more, data="x.csv", roles=ROLES):
    named = [word for role in roles.items() if role[0] not in more for word in role]
    return tokumei("anonymize", "table", "--data", data, *named, "--out", "y.csv", *more)


NOISE = ["--method", "noise"]
CASES = {
    "missing column": (GOOD, ["--qi", "agee"], "unknown column 'agee'. Did you mean 'age'?"),
    "duplicate header": ("age,age\n1,2\n", [], "age"),
    "ragged line": ("age,sex,pay\n30,m,100\n30,m\n", [], "line 3"),
    "too many fields": ("age,sex,pay\n30,m,100,9\n", [], "line 2"),
    "non-numeric SA": ("age,sex,pay\n30,m,100\n30,m,lots\n", NOISE, "line 3, column 'pay': 'lots'"),
    "text in SA": ("age,sex,pay\n30,m,x\n30,m,y\n", NOISE, "noise: pay: text"),
    "inf in SA": ("age,sex,pay\n30,m,1\n30,m,inf\n", NOISE, "line 3, column 'pay': 'inf'"),
    "empty file": ("", [], "x.csv"),
    "header only": ("age,sex,pay\n", [], "no rows"),
    "k above rows": (GOOD, ["--k", "9"], "k = 9 is more than the 4 rows"),
    "k below 2": (GOOD, ["--k", "1"], "k must be at least 2, not 1"),
    "unknown method": (GOOD, ["--method", "mondrain"], "Did you mean 'mondrian'?"),
    "unknown parameter": (GOOD, ["--method", "noise", "--set", "scal=1"], "Did you mean 'scale'?"),
    "wrong parameter type": (GOOD, ["--method", "noise", "--set", "scale=big"], "scale"),
    "column in two roles": (GOOD, ["--id", "age"], "column 'age' cannot be both"),
    "no SA for noise": (GOOD, ["--method", "noise", "--sa", ""], "at least one sensitive"),
    "bad share": (GOOD, ["--method", "delete", "--share", "2"], "between 0 and 1"),
}


@pytest.mark.parametrize("name", CASES)
def test_a_clear_message_and_no_output(tokumei, name):
    content, more, message = CASES[name]
    Path("x.csv").write_text(content)
    ran = anonymize(tokumei, *more)
    assert ran.code == 2
    assert message in ran.err
    assert [path.name for path in Path().iterdir()] == ["x.csv"]
    japanese = anonymize(tokumei, *more, "--lang", "ja")
    assert japanese.err != ran.err


@pytest.mark.parametrize("name", CASES)
def test_the_same_as_json(tokumei, name):
    content, more, _ = CASES[name]
    Path("x.csv").write_text(content)
    ran = anonymize(tokumei, *more, "--json")
    assert ran.code == 2
    assert ran.json["ok"] is False
    assert {"error", "message_en", "message_ja", "total", "faults"} <= set(ran.json)


def test_every_problem_is_listed_up_to_a_cap_with_a_total(tokumei):
    Path("x.csv").write_text("age,sex,pay\n" + "1,m,inf\n" * 50)
    ran = anonymize(tokumei, *NOISE)
    assert ran.err.count("is not a finite number") == 20
    assert "and 30 more" in ran.err
    assert anonymize(tokumei, *NOISE, "--json").json["total"] == 50


@pytest.mark.parametrize(
    ("content", "rows"),
    [
        # One row and constant columns are tables too.
        ("age,sex,pay\n30,m,100\n", 1),
        ("age,sex,pay\n30,m,100\n30,m,100\n", 2),
    ],
)
def test_tiny_tables_work(tokumei, content, rows):
    Path("x.csv").write_text(content)
    ran = anonymize(tokumei, "--method", "noise", "--json")
    assert ran.json["rows"] == rows
    both = ["--original", "x.csv", "--release", "y.csv", *NAMED, "--json"]
    assert tokumei("attack", *both).code == 0
    assert tokumei("measure", "utility", *both).code == 0
    assert tokumei("diagnose", *both).code == 0


def test_not_what_its_name_says(tokumei):
    Path("x.parquet").write_text(GOOD)
    ran = anonymize(tokumei, data="x.parquet")
    assert ran.code == 2
    assert "x.parquet" in ran.err


def test_no_such_file_and_no_such_folder(tokumei):
    assert "nowhere.csv" in anonymize(tokumei, data="nowhere.csv").err
    Path("x.csv").write_text(GOOD)
    ran = tokumei(
        "anonymize", "table", "--data", "x.csv", *NAMED, "--k", 2, "--out", "no/such/y.csv"
    )
    assert ran.code == 2
    assert "no/such/y.csv" in ran.err


def test_a_link_that_does_not_fit_says_where_but_not_what(tokumei):
    Path("x.csv").write_text(GOOD)
    Path("y.csv").write_text(GOOD)
    Path("l.csv").write_text("released,original\n0,0\n1,777\n2,2\n3,3\n")
    ran = tokumei("attack", "--original", "x.csv", "--release", "y.csv", *NAMED, "--truth", "l.csv")
    assert ran.code == 2
    assert "line 3" in ran.err
    assert "777" not in ran.err


def test_usage_errors_exit_2_and_speak_json(tokumei):
    assert tokumei("anonymize", "table").code == 2
    assert tokumei("nonsense").code == 2
    assert tokumei("check", "--release", "y.csv", "--json").json["ok"] is False
    assert tokumei("methods", "--lang", "fr").code == 2


def test_a_full_disk_leaves_nothing(tmp_path):
    """A real process whose files may not grow beyond 20 kB."""
    script = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000));"
        "from tokumei.apps.cli.app import main; main(sys.argv[1:])"
    )
    ran = subprocess.run(
        # -B: Python would leave cut-off bytecode behind.
        [sys.executable, "-B", "-c", script, "sample", "table", "--rows", "5000", "--out", "s.csv"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env={"LANG": "C", "PATH": ""},
    )
    assert ran.returncode == 2
    assert "s.csv: nothing was written" in ran.stderr
    assert list(tmp_path.iterdir()) == []

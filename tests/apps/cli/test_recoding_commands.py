"""Recoding methods as a user runs them: notes on optimality, odd input, threads."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from apps.cli.recoding_commands_samples import RECODERS, anonymize
from support.recoding_problems import write_wide_table


@pytest.fixture
def small(tokumei):
    """40 rows: a has 7 values, b has 3, n is empty everywhere."""
    rows = [f"v{i % 7},w{i % 3}," for i in range(40)]
    Path("x.csv").write_text("a,b,n\n" + "\n".join(rows) + "\n")
    Path("h_a.csv").write_text("".join(f"v{i};{'pq'[i > 3]};*\n" for i in range(7)))
    Path("h_b.csv").write_text("w0;*\nw1;*\nw2;*\n")
    return tokumei


def test_a_proven_optimum_says_so(small):
    ran = anonymize(small, "flash", "--hierarchies", "h_{column}.csv", "--json")
    assert ran.code == 0, ran.err
    (search,) = ran.json["provenance"]["searches"]
    assert search["optimal"] is True
    assert search["loss"] > 0
    assert "proven optimal" in ran.err
    assert "not proven" not in ran.err
    assert search["note"]["en"] in ran.err
    assert '"optimal": true' in Path("y.csv.manifest.json").read_text()


@pytest.mark.parametrize(
    ("method", "option"),
    [("flash", ["--set", "budget=1"]), ("local", []), ("auto", ["--seconds", "5"])],
)
def test_what_is_not_proven_says_so(small, method, option):
    ran = anonymize(small, method, *option, "--hierarchies", "h_{column}.csv", "--json")
    assert ran.code == 0, ran.err
    (search,) = ran.json["provenance"]["searches"]
    assert (search["method"], search["optimal"]) == (method, False)
    assert "not proven optimal" in ran.err


def test_auto_tells_what_it_ran_and_left_out(small):
    ran = anonymize(small, "auto", "--seconds", "0.00001", "--json")
    assert "local with normal effort; did not fit into 1e-05 s: local with high effort" in ran.err
    more = anonymize(small, "auto", "--seconds", "60", "--json", out="z.csv")
    assert "local with high effort, flash up to" in more.err
    assert "no room" not in more.err
    wrong = anonymize(small, "auto", "--seconds", "0")
    assert wrong.code == 2
    assert "seconds must be above 0" in wrong.err


@pytest.mark.long
@pytest.mark.parametrize("columns", [12, 20])
@pytest.mark.parametrize("method", ["flash", "local", "auto"])
def test_many_columns_end_with_the_best_found(tokumei, method, columns):
    names = write_wide_table(Path(), columns=columns, rows=600)
    option = {"flash": ["--set", "budget=60"], "auto": ["--seconds", "1"]}.get(method, [])
    ran = anonymize(
        tokumei,
        method,
        *option,
        "--hierarchies",
        "h_{column}.csv",
        "--json",
        qi=",".join(names),
        data="t.csv",
    )
    assert ran.code == 0, ran.err
    assert ran.json["provenance"]["searches"][0]["optimal"] is False
    assert "not proven optimal" in ran.err
    checked = tokumei(
        *("check", "--format", "table", "--release", "y.csv", "--qi", ",".join(names), "--k", "5")
    )
    assert checked.code == 0


@pytest.mark.parametrize("method", RECODERS)
def test_a_value_missing_from_a_hierarchy_is_listed(small, method):
    Path("h_a.csv").write_text("v0;p;*\nv1;p;*\nv2;q;*\nv3;q;*\nv4;q;*\n")
    ran = anonymize(small, method, "--hierarchies", "h_{column}.csv")
    assert ran.code == 2
    assert "'a'" in ran.err
    assert "'v5'" in ran.err
    assert "'v6'" in ran.err
    assert not Path("y.csv").exists()


@pytest.mark.parametrize("method", RECODERS)
def test_a_hierarchy_that_is_not_nested_is_refused(small, method):
    lines = [f"v{i};{'pq'[i > 1]};{'rs'[i > 0]};*\n" for i in range(7)]
    Path("h_a.csv").write_text("".join(lines))
    ran = anonymize(small, method, "--hierarchies", "h_{column}.csv")
    assert ran.code == 2
    assert "a node has one parent" in ran.err
    assert not Path("y.csv").exists()


@pytest.mark.parametrize("method", ["mondrian", *RECODERS])
def test_no_quasi_identifier(small, method):
    option = [] if method == "mondrian" else ["--hierarchies", "auto"]
    ran = anonymize(small, method, *option, "--pass", "a", qi="")
    assert ran.code == 2
    assert "name at least one quasi-identifier" in ran.err


@pytest.mark.parametrize("method", ["mondrian", *RECODERS])
def test_a_column_without_any_value_stays_empty(small, method):
    option = [] if method == "mondrian" else ["--hierarchies", "auto"]
    ran = anonymize(small, method, *option, "--pass", "a", qi="b,n")
    assert ran.code == 0, ran.err
    assert {line.split(",")[2] for line in Path("y.csv").read_text().splitlines()[1:]} == {""}


METHODS = ["local", "flash", "auto", "k-member", "one-pass", "local-suppression", "datafly"]


@pytest.mark.long
def test_threads_do_not_change_a_byte(tokumei):
    names = write_wide_table(Path(), columns=5, rows=300)
    script = (
        "import sys; from tokumei.apps.cli.app import main\n"
        "for method in sys.argv[2].split(','):\n"
        "    try: main(['anonymize', 'table', '--data', 't.csv', '--qi', sys.argv[1],"
        " '--method', method, '--k', '4', '--hierarchies', 'h_{column}.csv', '--seed', '3',"
        " '--out', f'{sys.argv[3]}-{method}.csv'])\n"
        "    except SystemExit as stop: assert not stop.code, method\n"
    )
    methods = [*METHODS, "mondrian-hierarchical"]
    for threads in ("1", "2"):
        subprocess.run(
            [sys.executable, "-c", script, ",".join(names), ",".join(methods), threads],
            env=os.environ | {"TOKUMEI_THREADS": threads, "POLARS_MAX_THREADS": threads},
            check=True,
            capture_output=True,
        )
    for method in methods:
        one, two = Path(f"1-{method}.csv").read_bytes(), Path(f"2-{method}.csv").read_bytes()
        assert one == two, method

"""`tokumei contest init` and `check`: the figures of the judge, exit codes, files."""

from __future__ import annotations

import json
import stat

import pytest

from apps.contest.judge.judge_fixtures import periods as periods
from apps.contest.judge.judge_fixtures import tables as tables
from apps.contest.judge.uploaded import zipped
from tokumei.apps.cli.app import main
from tokumei.core.language import use_language


@pytest.fixture
def run(capsys):
    """Run a command: exit code and what it printed."""

    def run_command(*args):
        with pytest.raises(SystemExit) as ended:
            main([str(arg) for arg in args])
        use_language("en")
        return ended.value.code, capsys.readouterr().out

    return run_command


def test_init_writes_a_contest_that_can_be_checked(run, tmp_path):
    folder = tmp_path / "spring"
    code, out = run("contest", "init", folder, "--preset", "pws2018", "--rows", 300, "--json")
    assert code == 0
    version = json.loads(out)["version"]
    code, out = run("contest", "check", folder / "contest.yaml", "--json")
    assert (code, json.loads(out)) == (0, {"ok": True, "slug": "sample", "version": version})
    assert run("contest", "check", folder)[1].startswith("A sample contest: ready to judge.")
    assert run("contest", "init", folder)[0] == 2


def test_a_release_gets_the_judge_s_figures_and_files(run, periods, tmp_path):
    files = ("--public", tmp_path / "S.csv", "--secret", tmp_path / "F.csv")
    release = periods.folder / "A.csv"
    code, out = run("contest", "check", periods.folder, "--release", release, *files, "--json")
    verdict = periods.judge.judge(periods.upload)
    assert code == 0
    assert json.loads(out) == {
        "ok": True,
        "total": 0,
        "faults": [],
        "card": json.loads(json.dumps(verdict.card.as_json())),
    }
    assert (tmp_path / "S.csv").read_bytes() == verdict.public
    assert (tmp_path / "F.csv").read_bytes() == verdict.truth
    assert stat.S_IMODE((tmp_path / "F.csv").stat().st_mode) == 0o600


def test_a_guess_gets_the_judge_s_figures(run, periods, tmp_path):
    verdict = periods.judge.judge(periods.upload)
    tables = {name: verdict.truth for name in periods.judge.guess_files()}
    for name, content in {
        "S.csv": verdict.public,
        "F.csv": verdict.truth,
        "g.zip": zipped(tables),
    }.items():
        (tmp_path / name).write_bytes(content)
    args = ("contest", "check", periods.folder, "--guess", tmp_path / "g.zip")
    public, secret = ("--public", tmp_path / "S.csv"), ("--secret", tmp_path / "F.csv")
    code, out = run(*args, *public, *secret, "--json")
    assert code == 0
    assert json.loads(out)["found"]["value"] == 1.0
    assert "reid_all: 0.25" in run(*args, *public, *secret)[1]
    code, out = run(*args, *public, "--json")
    assert json.loads(out) == {"ok": True, "total": 0, "faults": []}
    assert run(*args)[0] == 2


def test_broken_rules_end_with_1_in_both_languages(run, periods):
    args = ("contest", "check", periods.folder, "--release", periods.folder / "T.csv")
    code, out = run(*args, "--json")
    plain = json.loads(out)
    assert (code, plain["ok"], plain["total"]) == (1, False, len(periods.lines()))
    assert plain["faults"][0]["rule"] == "pseudonym-is-customer"
    code, out = run(*args, "--lang", "ja")
    assert (code, out.splitlines()[-1]) == (1, f"違反 {plain['total']} 件")


def test_rules_alone_can_be_checked(run, tables):
    args = ("contest", "check", tables.folder, "--release", tables.folder / "A.csv")
    code, out = run(*args, "--rules-only", "--json")
    assert (code, json.loads(out)) == (0, {"ok": True, "total": 0, "faults": []})
    assert "utility: U5" in run(*args)[1]


def test_wrong_usage_ends_with_2(run, tables, tmp_path):
    both = ("--release", tables.folder / "A.csv", "--guess", tables.folder / "A.csv")
    assert run("contest", "check", tables.folder, *both)[0] == 2
    assert run("contest", "check", tmp_path)[0] == 2
    assert run("contest", "check", tables.folder, "--release", tmp_path / "none.csv")[0] == 2

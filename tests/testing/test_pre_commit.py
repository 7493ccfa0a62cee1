"""The hook refuses a commit that holds a file which breaks its models."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from support.waiting import HUNG_SECONDS
from tokumei.testing.check_files import read_checks
from tokumei.testing.pre_commit import main, select_checks

CHECKS = "- {data: held.csv, qi: [age], k: 2}\n- {data: broken.csv, qi: [age], k: 2}\n"
HOOKS = Path(__file__).parents[2] / ".pre-commit-hooks.yaml"


@pytest.fixture(autouse=True)
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with two published files, as the current folder."""
    (tmp_path / "held.csv").write_text("age\n31\n31\n")
    (tmp_path / "broken.csv").write_text("age\n31\n31\n44\n")
    (tmp_path / "tokumei-checks.yaml").write_text(CHECKS)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("committed", "data"),
    [
        ([], ["held.csv", "broken.csv"]),
        (["held.csv"], ["held.csv"]),
        (["./broken.csv", "other.csv"], ["broken.csv"]),
        (["other.csv"], []),
        (["tokumei-checks.yaml"], ["held.csv", "broken.csv"]),
    ],
)
def test_the_files_of_the_commit_are_checked(committed: list[str], data: list[str]) -> None:
    path = Path("tokumei-checks.yaml")
    assert [check.data for check in select_checks(read_checks(path), path, committed)] == data


def test_the_exit_code_tells(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["held.csv"]) == 0
    assert capsys.readouterr().out == ""
    assert main(["broken.csv"]) == 1
    told = capsys.readouterr().out
    assert told == "broken.csv: 1 class breaks k-anonymity; its first row is on line 4\n"
    assert main(["broken.csv", "--show-values"]) == 1
    assert "age=44" in capsys.readouterr().out


def test_what_cannot_be_read_refuses_the_commit(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (repository / "held.csv").unlink()
    assert main(["held.csv"]) == 1
    assert "no such file" in capsys.readouterr().out
    assert main(["--checks", "nowhere.yaml"]) == 1
    assert "nowhere.yaml" in capsys.readouterr().out


def test_the_entry_of_the_hook_runs(repository: Path) -> None:
    (hook,) = yaml.safe_load(HOOKS.read_text(encoding="utf-8"))
    program, *arguments = hook["entry"].split()
    assert (program, hook["id"]) == ("python", "tokumei-check")
    ran = subprocess.run(
        [sys.executable, *arguments, "broken.csv"],
        cwd=repository,
        timeout=HUNG_SECONDS,
        check=False,
        capture_output=True,
        text=True,
    )
    assert (ran.returncode, ran.stderr) == (1, "")

"""Processes that the project starts find nothing in the current folder."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tokumei.core.python_processes import child_environment, module_search_path, python_command

SOURCE = Path(__file__).parents[2] / "src/tokumei"
PARENT = """
import subprocess
from tokumei.core.python_processes import python_command, child_environment
subprocess.run(python_command("planted"), env=child_environment())
"""


def ran(folder: Path, *command: str, **environment: str) -> str:
    """What a process that starts another one in the folder prints of it."""
    (folder / "planted.py").write_text("open('marker', 'w')")
    (folder / "parent.py").write_text(PARENT)
    done = subprocess.run(
        [sys.executable, *command],
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stderr


@pytest.mark.parametrize("way", [["-m", "parent"], ["-c", PARENT], ["-P", "-c", PARENT]])
@pytest.mark.parametrize("path", ["", ".", os.pathsep])
def test_a_file_in_the_current_folder_is_not_run(tmp_path: Path, way: list[str], path: str) -> None:
    told = ran(tmp_path, *way, PYTHONPATH=path)
    assert "No module named planted" in told
    assert not (tmp_path / "marker").exists()


def test_a_folder_that_pythonpath_names_stays(tmp_path: Path) -> None:
    ran(tmp_path, "-m", "parent", PYTHONPATH=str(tmp_path))
    assert (tmp_path / "marker").exists()


def test_the_other_folders_stay_in_their_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, other = tmp_path / "here", tmp_path / "other"
    here.mkdir()
    other.mkdir()
    monkeypatch.chdir(here)
    monkeypatch.setenv("PYTHONPATH", "")
    monkeypatch.setattr(sys, "path", ["", str(here), str(other), "gone.zip", "."])
    assert module_search_path() == [str(other), "gone.zip"]
    assert child_environment()["PYTHONPATH"] == f"{other}{os.pathsep}gone.zip"
    assert python_command("one", "two") == [sys.executable, "-P", "-m", "one", "two"]


def test_every_python_process_is_started_in_this_way() -> None:
    """Only Spark starts Python by itself, and is told which one."""
    having = {
        str(file.relative_to(SOURCE))
        for file in SOURCE.rglob("*.py")
        if re.search(r"sys\.executable", file.read_text(encoding="utf-8"))
    }
    assert having == {"core/python_processes.py", "files/spark/session.py"}

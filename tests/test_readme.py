"""The READMEs' program runs in a new process, and what they name exists.

Their commands are run, and what they say is recorded, in `golden/`.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
READMES = ["README.md", "README.ja.md"]
RUN = [pytest.param(name, marks=pytest.mark.long if ".ja." in name else ()) for name in READMES]
"""The Japanese one runs the same commands again."""


def blocks(name, kind):
    text = (ROOT / name).read_text(encoding="utf-8")
    return re.findall(rf"```{kind}\n(.*?)```", text, re.DOTALL)


def commands(name):
    found = [
        line.removeprefix("$ ")
        for block in blocks(name, "console")
        for line in block.splitlines()
        if line.startswith("$ tokumei")
    ]
    assert len(found) >= 5
    return found


def test_the_shell_finds_the_command(tmp_path):
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    ran = subprocess.run(
        commands("README.md")[0],
        shell=True,
        cwd=tmp_path,
        env={**os.environ, "PATH": path},
        capture_output=True,
    )
    assert ran.returncode == 0, ran.stderr.decode()


@pytest.mark.parametrize("name", RUN)
def test_python_runs(name, tmp_path):
    (code,) = blocks(name, "python")
    ran = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, encoding="utf-8"
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout in blocks(name, "text")
    assert (tmp_path / "release" / "secret" / "release.link.csv").exists()


@pytest.mark.parametrize("name", READMES)
def test_make_targets_and_links_exist(name):
    text = (ROOT / name).read_text(encoding="utf-8")
    makefile = (ROOT / "Makefile").read_text()
    for target in re.findall(r"^\$ make (\w+)$", text, re.MULTILINE):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
    for link in re.findall(r"\]\((?!https:)([^)#]+)(?:#\w+)?\)", text):
        assert (ROOT / link).exists(), link

"""What keeps the repository honest: no machine paths, no package hosts, no real data."""

import re
import subprocess
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[1]


def tracked():
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if listed.returncode:
        pytest.skip("not a git checkout")
    return [ROOT / name for name in listed.stdout.split("\0") if name]


def test_no_package_host_or_machine_path_is_named():
    host = re.compile(r"(--(extra-)?index-url|index-url *=|\"resolved\" *:|files\.pythonhosted)")
    for path in tracked():
        if path.suffix in {".png", ".parquet"} or path == Path(__file__):
            continue
        text = path.read_text(encoding="utf-8", errors="ignore")
        assert str(ROOT.parent) + "/" not in text, path
        assert not host.search(text) or "no-emit-index-url" in text, path


def test_no_file_is_too_large_to_read():
    """Source files stay small enough to be one room each."""
    for path in tracked():
        if path.suffix == ".py" and "src" in path.parts:
            assert len(path.read_text(encoding="utf-8").splitlines()) <= 300, path


def test_wheels_are_built_and_tried_on_every_system():
    text = (ROOT / ".github" / "workflows" / "wheels.yml").read_text(encoding="utf-8")
    (job,) = yaml.safe_load(text)["jobs"].values()
    systems = {name.split("-")[0] for name in job["strategy"]["matrix"]["system"]}
    assert systems == {"ubuntu", "macos", "windows"}
    settings = next(step["env"] for step in job["steps"] if "env" in step)
    tried = settings["CIBW_TEST_COMMAND"].split()
    named = [word for word in tried if word.startswith("tests/")]
    assert "tests/test_other_systems.py" in named
    for word in (*named, *settings["CIBW_TEST_SOURCES"].split()):
        assert (ROOT / word).exists(), word


def test_steps_of_wheels_fit_every_shell():
    """Windows runs them in PowerShell, and cibuildwheel its command in cmd."""
    text = (ROOT / ".github" / "workflows" / "wheels.yml").read_text(encoding="utf-8")
    (job,) = yaml.safe_load(text)["jobs"].values()
    steps = job["steps"]
    commands = [step["run"] for step in steps if "run" in step and step.get("shell") != "bash"]
    commands += [step["env"]["CIBW_TEST_COMMAND"] for step in steps if "env" in step]
    for command in commands:
        assert not set("$`'|&;<>\\\n") & set(command.strip()), command

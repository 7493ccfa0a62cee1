"""What keeps the repository honest: no machine paths, no package hosts, no real data."""

import re
import subprocess
from pathlib import Path

import pytest

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

"""What the tests split from test_browser share."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def sample(path: Path, *asked: str) -> Path:
    command = [sys.executable, "-m", "tokumei", "sample", *asked, "--seed", "1", "--out", str(path)]
    subprocess.run(command, check=True, capture_output=True)
    return path

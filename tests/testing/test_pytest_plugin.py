"""pytest itself collects the files that are listed, in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from support.waiting import HUNG_SECONDS

CHECKS = """\
- {data: held.csv, qi: [age], k: 2}
- {data: broken.csv, qi: [age], k: 2}
- {data: absent.csv, qi: [age], k: 2}
"""


def run_pytest(folder: Path, *more: str) -> subprocess.CompletedProcess[str]:
    """pytest with the plugin, whether its entry point is installed or not."""
    plugin = "tokumei.testing.pytest_plugin"
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-p", plugin, "-p", "no:cacheprovider", "-q", *more],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=HUNG_SECONDS,
        check=False,
    )


def test_every_listed_file_is_a_test(tmp_path: Path) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "held.csv").write_text("age\n31\n31\n")
    (tmp_path / "broken.csv").write_text("age\n31\n31\n44\n")
    (tmp_path / "tokumei-checks.yaml").write_text(CHECKS)
    ran = run_pytest(tmp_path)
    assert ran.returncode == 1
    assert "2 failed, 1 passed" in ran.stdout
    assert "1 class breaks k-anonymity; its first row is on line 4" in ran.stdout
    assert "no such file" in ran.stdout
    assert "Traceback" not in ran.stdout
    assert "age=44" not in ran.stdout
    assert "age=44" in run_pytest(tmp_path, "--tokumei-values").stdout


def test_a_file_that_is_no_list_is_an_error_of_collection(tmp_path: Path) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "tokumei-checks.yaml").write_text("- {k: 2}\n")
    ran = run_pytest(tmp_path)
    assert ran.returncode == 2
    assert "cannot be used as a list of checks" in ran.stdout

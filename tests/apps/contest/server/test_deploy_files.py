"""The files for services and containers fit the server."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from apps.contest.server.deploy_files_helpers import DEPLOY


def test_pages_have_no_vault_in_containers() -> None:
    services = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]
    web, worker = services["web"], services["worker"]
    assert web["user"] != worker["user"]
    assert any(place.startswith("/srv/contest/vault:") for place in web["tmpfs"])
    assert web["environment"] == worker["environment"]
    assert web["command"][-2:] == ["--workers", "0"]


def test_services_may_hold_many_connections() -> None:
    for path in (DEPLOY / "systemd").glob("*.service"):
        assert "LimitNOFILE=65536" in path.read_text().splitlines()


def test_units_are_understood(tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("no systemd-analyze here")
    for path in (DEPLOY / "systemd").iterdir():
        text = path.read_text().replace("/opt/tokumei/bin/tokumei", "/bin/true")
        (tmp_path / path.name).write_text(text)
    units = [str(path) for path in tmp_path.iterdir() if path.suffix in (".service", ".target")]
    assert len(units) == 3
    found = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *units],
        capture_output=True,
        text=True,
        check=False,
    )
    # Units of the machine it runs on may have faults of their own.
    assert [line for line in found.stderr.splitlines() if "tokumei" in line] == []

"""`tokumei contest serve` as its organiser runs it."""

from __future__ import annotations

import os
import signal
import socket
import sys
from pathlib import Path

import httpx
import pytest

from support.contest_server import Served, served
from support.waiting import HUNG_SECONDS, process_is_alive, wait_until
from tokumei.apps.cli.app import main
from tokumei.apps.contest.server.supervisor import hold_server_lock


def health(server: Served) -> int:
    return httpx.get(f"{server.address}/api/v1/health", timeout=HUNG_SECONDS).status_code


@pytest.mark.long
def test_it_prepares_serves_restarts_and_ends(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with served(home) as server:
        assert server.code
        assert health(server) == 200
        before = server.children()
        assert len(before) == 2
        os.kill(before["web"], signal.SIGKILL)
        # The connection waits in the supervisor's socket until pages are there again.
        assert health(server) == 200
        after = server.children()
        assert after["web"] != before["web"]
        assert {name: pid for name, pid in after.items() if name != "web"} == {
            name: pid for name, pid in before.items() if name != "web"
        }
        account = {"name": "organiser", "password": "correct horse battery"}
        invited = {**account, "invite": server.code}
        response = httpx.post(
            f"{server.address}/api/v1/register", json=invited, timeout=HUNG_SECONDS
        )
        assert response.status_code in (200, 201), response.text
    wait_until(lambda: not any(map(process_is_alive, after.values())))
    assert oct((home / "vault").stat().st_mode & 0o777) == "0o700"
    with served(home, "--workers", "0") as again:
        assert again.code is None
        assert health(again) == 200
        assert list(again.children()) == ["web"]
        # Its web process cannot read the truth: it gave up the right, and found none left.
        status = Path(f"/proc/{again.children()['web']}/status").read_text()
        assert "NoNewPrivs:\t1" in status
    assert "cannot hide the truth" not in (tmp_path / "home.log").read_text()


def test_a_port_in_use(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        command = ["contest", "serve", str(tmp_path / "home"), "--port"]
        with pytest.raises(SystemExit) as stopped:
            main([*command, str(taken.getsockname()[1])])
    assert stopped.value.code == 2
    assert "is in use" in capsys.readouterr().err
    assert not (tmp_path / "home").exists()


def test_a_second_server_on_one_home(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with hold_server_lock(tmp_path / "home"), pytest.raises(SystemExit) as stopped:
        main(["contest", "serve", str(tmp_path / "home"), "--port", "0"])
    assert stopped.value.code == 2
    assert "a server is already running on" in capsys.readouterr().err


def test_a_database_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(
            [
                *("contest", "serve", str(tmp_path / "home"), "--port", "0"),
                *("--database", "postgresql+psycopg://nobody@127.0.0.1:1/none"),
            ]
        )
    assert stopped.value.code == 2
    assert "database" in capsys.readouterr().err


def test_without_the_extra_it_says_the_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "sqlalchemy", None)
    for command in (["serve", str(tmp_path)], ["demo"]):
        with pytest.raises(SystemExit) as stopped:
            main(["contest", *command])
        assert stopped.value.code == 2
        assert 'pip install "tokumei[contest]"' in capsys.readouterr().err

"""`tokumei price serve` as a process of its own."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest

from support.waiting import HUNG_SECONDS
from tokumei.apps.cli.app import main
from tokumei.apps.price.datasets.sample_people import sample_prices


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    people, prices = sample_prices(500, seed=1)
    people.write_csv(tmp_path / "people.csv")
    prices.write_csv(tmp_path / "prices-2026-11-01.csv")
    return [
        *("--data", str(tmp_path / "people.csv")),
        *("--patterns", str(tmp_path / "prices-2026-11-01.csv")),
    ]


def test_it_serves_until_it_is_stopped(files: list[str]) -> None:
    command = [sys.executable, "-m", "tokumei", "price", "serve", *files, "--port", "0", "--json"]
    command += ["--seconds", str(HUNG_SECONDS)]
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "LANG": "C.UTF-8"},
    ) as process:
        try:
            found = read_json(process)
            address = found["address"]
            assert address.startswith("http://127.0.0.1:")
            listed = httpx.get(address + "v1/prices", timeout=HUNG_SECONDS).json()["prices"]
            asked = {"session": "people", "prices": listed[0]["id"], "k": 5}
            answer = httpx.post(address + "v1/optimum", json=asked, timeout=HUNG_SECONDS).json()
            assert answer["optimal"]
            assert answer["k"] >= 5
            refused = httpx.get(address, headers={"host": "evil.example"}, timeout=HUNG_SECONDS)
            assert refused.status_code == 421
        finally:
            process.send_signal(signal.SIGINT)
            log = process.communicate(timeout=HUNG_SECONDS)[1]
    assert process.returncode == 130
    assert "POST /v1/optimum 200" in log
    assert "Traceback" not in log


def read_json(process: subprocess.Popen[str]) -> dict[str, Any]:
    """The one JSON document, which ends with a closing bracket of its own."""
    assert process.stdout is not None
    text = ""
    for line in process.stdout:
        text += line
        if line.startswith("}"):
            return dict(json.loads(text))
    raise AssertionError(process.communicate()[1])


def test_a_port_in_use(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken, pytest.raises(SystemExit) as stopped:
        main(["price", "serve", *files, "--port", str(taken.getsockname()[1])])
    assert stopped.value.code == 2
    assert "of 127.0.0.1 is in use" in capsys.readouterr().err


def test_two_files_of_one_name(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["price", "serve", *files, *files[:2], "--port", "0"])
    assert stopped.value.code == 2
    assert "the same name" in capsys.readouterr().err


def test_without_the_extra_it_says_the_remedy(
    files: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "fastapi", None)
    with pytest.raises(SystemExit) as stopped:
        main(["price", "serve", *files])
    assert stopped.value.code == 2
    assert 'pip install "tokumei[serve]"' in capsys.readouterr().err

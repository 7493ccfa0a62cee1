"""Tests of tokumei.apps.contest.client.contest_client."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from apps.contest.client.contest_client_fixtures import Server
from apps.contest.client.contest_client_fixtures import slept as slept
from apps.contest.played import SLUG, Played
from apps.contest.prepared import new_home
from apps.contest.served_api import serving
from tokumei.apps.cli.app import main
from tokumei.apps.contest.client.contest_client import ContestClient
from tokumei.apps.contest.client.errors import RemoteRefusal
from tokumei.apps.http.rate_limit import RateLimiter


def test_it_waits_as_long_as_told_and_asks_again(slept: list[float]) -> None:
    waits: list[int] = []
    server = Server("2", "0", "7")
    assert ContestClient("http://x", transport=server, waits=waits.append).contests() == []
    assert slept == waits == [2, 1, 7]


def test_an_upload_is_sent_whole_again(slept: list[float], tmp_path: Path) -> None:
    (tmp_path / "A.csv").write_bytes(b"all my rows")
    server = Server("1", "1")
    ContestClient("http://x", "t", transport=server).submit(SLUG, tmp_path / "A.csv", key="k")
    assert len(server.bodies) == 3
    assert all(b"all my rows" in body for body in server.bodies)


@pytest.mark.parametrize(
    ("wait", "status"), [("86400", 429), (None, 429), ("soon", 429), ("1", 403), ("1", 503)]
)
def test_what_waiting_does_not_help_is_told_at_once(
    slept: list[float], wait: str | None, status: int
) -> None:
    server = Server(wait, status=status)
    with pytest.raises(RemoteRefusal, match=r"^too many$"):
        ContestClient("http://x", transport=server).contests()
    assert (slept, len(server.bodies)) == ([], 1)


def test_a_proxy_s_page_is_waited_for_as_well(slept: list[float]) -> None:
    answers = iter([httpx.Response(429, text="<html>", headers={"retry-after": "3"})])
    last = httpx.Response(200, json={"contests": []})
    transport = httpx.MockTransport(lambda request: next(answers, last))
    assert ContestClient("http://x", transport=transport).contests() == []
    assert slept == [3]


@pytest.fixture
def limited(tmp_path: Path, slept: list[float]) -> Iterator[tuple[Played, str]]:
    """A real server that takes one request every second, of those that the client sleeps."""
    played = Played.open(new_home(tmp_path / "home"), tmp_path)
    rates = RateLimiter(burst=1, per_second=1, clock=lambda: sum(slept))
    with serving(played.place, rates) as running:
        yield played, running.address
    played.close()


@pytest.mark.long
def test_commands_say_on_stderr_that_they_wait(
    limited: tuple[Played, str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    played, url = limited
    monkeypatch.setenv("TOKUMEI_TOKEN", played.tokens["ant"])
    with pytest.raises(SystemExit) as ended:
        main(["contest", "status", "--server", url, "--json"])
    said = capsys.readouterr()
    assert ended.value.code in (0, None)
    assert "too many requests to the server; waiting 1 s" in said.err
    assert '"Ants"' in said.out


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("contest.example.org", "https://contest.example.org"),
        ("contest.example.org/", "https://contest.example.org"),
        ("http://contest.example.org", "http://contest.example.org"),
        ("localhost:8000", "http://localhost:8000"),
        ("127.0.0.1:8000", "http://127.0.0.1:8000"),
        ("localhost.example.org", "https://localhost.example.org"),
    ],
)
def test_the_scheme_is_https_but_on_this_machine(given: str, meant: str) -> None:
    assert ContestClient(given).url == meant

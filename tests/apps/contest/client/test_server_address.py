"""A server may be named without its scheme."""

from __future__ import annotations

import pytest

from tokumei.apps.contest.client.contest_client import ContestClient


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

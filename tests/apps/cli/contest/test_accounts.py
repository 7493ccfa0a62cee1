"""Tests of tokumei.apps.cli.contest.accounts."""

from __future__ import annotations


def test_a_password_that_nobody_types_is_wrong_usage(tokumei, monkeypatch):
    def end_of_input(*args, **kwargs):
        raise EOFError

    monkeypatch.delenv("TOKUMEI_PASSWORD", raising=False)
    monkeypatch.setattr("tokumei.apps.cli.contest.accounts.getpass", end_of_input)
    ran = tokumei("contest", "token", "aoi", "--server", "http://127.0.0.1:9")
    assert (ran.code, "TOKUMEI_PASSWORD" in ran.err) == (2, True)

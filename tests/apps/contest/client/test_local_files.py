"""Tests of tokumei.apps.contest.client.local_files."""

from __future__ import annotations

import stat

import pytest

from apps.contest.client.client_fixtures import opened as opened
from apps.contest.client.client_fixtures import settings as settings
from tokumei.apps.contest.client.local_files import find_token, save_token, token_file_path
from tokumei.core.errors import InputError


def test_tokens_are_kept_for_their_owner_only(monkeypatch: pytest.MonkeyPatch) -> None:
    path = save_token("http://one/", "tkm_1")
    save_token("http://two", "tkm_2")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert (find_token("http://one"), find_token("http://two/")) == ("tkm_1", "tkm_2")
    assert find_token("http://three") is None
    monkeypatch.setenv("TOKUMEI_TOKEN", "tkm_3")
    assert find_token("http://one") == "tkm_3"
    monkeypatch.delenv("TOKUMEI_TOKEN")
    token_file_path().write_text("[]")
    with pytest.raises(InputError, match="is not a file of tokens"):
        find_token("http://one")

"""What the server signed is known again; nothing else is, nor what is too old."""

from __future__ import annotations

import time

import pytest

from tokumei.apps.http.signing import csrf_token, sign_data, tokens_equal, verify_signed

NOTE = {"en": "saved", "ja": "保存しました", "links": ["a"]}


def test_a_note_comes_back() -> None:
    assert verify_signed(b"key", sign_data(b"key", NOTE)) == NOTE


def test_a_note_whose_characters_were_changed_is_none() -> None:
    sealed = sign_data(b"key", NOTE)
    for place, was in enumerate(sealed):
        changed = sealed[:place] + ("A" if was != "A" else "Q") + sealed[place + 1 :]
        assert verify_signed(b"key", changed) != NOTE or changed[:-1] == sealed[:-1]
    assert verify_signed(b"other key", sealed) is None


@pytest.mark.parametrize("value", ["", ".", "..", "a.b.c", "ü.ü.ü", "\0", "." * 1000])
def test_what_was_never_signed_is_none(value: str) -> None:
    assert verify_signed(b"key", value) is None


def test_a_note_is_good_for_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    sealed = sign_data(b"key", NOTE)
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 50)
    assert verify_signed(b"key", sealed, seconds=60) == NOTE
    monkeypatch.setattr(time, "time", lambda: now + 70)
    assert verify_signed(b"key", sealed, seconds=60) is None
    assert verify_signed(b"key", sealed) == NOTE


def test_a_form_token_is_of_one_cookie_one_key_and_one_purpose() -> None:
    token = csrf_token(b"key", "cookie")
    assert tokens_equal(token, csrf_token(b"key", "cookie"))
    assert not tokens_equal(token, csrf_token(b"key", "cookie2"))
    assert not tokens_equal(token, csrf_token(b"other key", "cookie"))
    body, _, signature = sign_data(b"key", NOTE).rpartition(".")
    assert not tokens_equal(signature, csrf_token(b"key", body))

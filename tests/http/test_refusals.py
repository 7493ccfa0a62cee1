"""The statuses and headers of errors, for both services."""

from __future__ import annotations

import logging

import pytest

from tokumei.core.errors import ClaimError, InputError, OutputError, TokumeiError, UsageError
from tokumei.core.text import Text
from tokumei.http.answers import json_bytes
from tokumei.http.gate import log_bug
from tokumei.http.refusals import Conflict, Refusal, headers_of, status_of

WHY = Text("no", "いいえ")


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (Refusal(WHY), 400),
        (Conflict(WHY), 409),
        (InputError(WHY), 422),
        (UsageError(WHY), 422),
        (OutputError(WHY), 507),
        (ClaimError(WHY), 500),
    ],
)
def test_every_error_has_a_status(error: TokumeiError, status: int) -> None:
    assert status_of(error) == status


def test_headers_are_those_of_the_refusal() -> None:
    assert headers_of(Refusal(WHY)) == headers_of(InputError(WHY)) == {}
    refusal = Conflict(WHY, retry_after=5, headers={"allow": "GET"})
    assert headers_of(refusal) == {"retry-after": "5", "allow": "GET"}
    assert refusal.as_json()["error"] == "Conflict"


def test_any_text_becomes_json() -> None:
    assert json_bytes({"a": "匿\ud800"}) == '{"a": "匿\\ud800"}'.encode()
    with pytest.raises(ValueError, match="JSON"):
        json_bytes(float("nan"))


def test_a_bug_is_logged_without_its_message(caplog: pytest.LogCaptureFixture) -> None:
    try:
        raise ValueError("row 7 of the data")
    except ValueError as error:
        log_bug(logging.getLogger("test"), error)
    assert caplog.text.startswith("ERROR")
    assert "ValueError at test_a_bug_is_logged_without_its_message" in caplog.text
    assert "row 7" not in caplog.text

"""The statuses and headers of errors, for both services."""

from __future__ import annotations

import logging

import pytest

from tokumei.apps.http.errors import Conflict, HttpError, http_headers, http_status
from tokumei.apps.http.middleware import log_unexpected_error
from tokumei.core.errors import ClaimError, InputError, OutputError, TokumeiError, UsageError
from tokumei.core.messages import Message

WHY = Message.of_texts({"en": "no", "ja": "いいえ"})


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (HttpError(WHY), 400),
        (Conflict(WHY), 409),
        (InputError(WHY), 422),
        (UsageError(WHY), 422),
        (OutputError(WHY), 507),
        (ClaimError(WHY), 500),
    ],
)
def test_every_error_has_a_status(error: TokumeiError, status: int) -> None:
    assert http_status(error) == status


def test_headers_are_those_of_the_refusal() -> None:
    assert http_headers(HttpError(WHY)) == http_headers(InputError(WHY)) == {}
    refusal = Conflict(WHY, retry_after=5, headers={"allow": "GET"})
    assert http_headers(refusal) == {"retry-after": "5", "allow": "GET"}
    assert refusal.as_json()["error"] == "Conflict"


def test_a_bug_is_logged_without_its_message(caplog: pytest.LogCaptureFixture) -> None:
    try:
        raise ValueError("row 7 of the data")
    except ValueError as error:
        log_unexpected_error(logging.getLogger("test"), error)
    assert caplog.text.startswith("ERROR")
    assert "ValueError at test_a_bug_is_logged_without_its_message" in caplog.text
    assert "row 7" not in caplog.text

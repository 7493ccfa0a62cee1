"""Turns error responses of a server into our exceptions."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import httpx

from tokumei.core.errors import InputError, TokumeiError, Violation
from tokumei.core.json_types import JsonObject
from tokumei.core.messages import Message

TOO_MANY_REQUESTS = 429
MOST_WAIT_SECONDS = 90
"""That one request waits in all; a longer wait (a day's quota) is left to its sentence."""


class RemoteRefusal(TokumeiError):
    """The server said no: its sentence by language, its status, seconds to wait."""

    def __init__(
        self,
        message: Message,
        *,
        status: int,
        retry_after: int | None = None,
        faults: Sequence[Violation] = (),
        total: int | None = None,
    ) -> None:
        super().__init__(message, faults=faults, total=total)
        self.status = status
        self.retry_after = retry_after

    def as_json(self) -> JsonObject:
        """The one JSON shape of all errors, and the status."""
        return super().as_json() | {"status": self.status}


def error_from_response(response: httpx.Response) -> RemoteRefusal:
    """The error that a response tells."""
    wait_header = response.headers.get("retry-after", "")
    wait = int(wait_header) if wait_header.isdecimal() else None
    try:
        body = response.json()
        message = Message.of_json(body, "message")
        faults = [_parse_violation(fault) for fault in body["faults"]]
        total = int(body["total"])
    except (ValueError, KeyError, TypeError):
        url, status = response.url, response.status_code
        message = Message(
            "{url} answered {status}, but it is not a contest server", url=url, status=status
        )
        return RemoteRefusal(message, status=status, retry_after=wait)
    return RemoteRefusal(
        message, status=response.status_code, retry_after=wait, faults=faults, total=total
    )


def unreachable_error(url: str, error: Exception) -> InputError:
    """The error when there is no answer, or none of ours."""
    reason = str(error) or type(error).__name__
    return InputError("no answer from {url}: {reason}", url=url, reason=reason)


def _parse_violation(fault: Mapping[str, Any]) -> Violation:
    return Violation(
        rule=fault["rule"],
        message=Message.of_json(fault, "message"),
        line=fault["line"],
        column=fault["column"],
    )


def request_with_retries(
    ask: Callable[[], httpx.Response], waits: Callable[[int], None]
) -> httpx.Response:
    """A good answer, or the refusal; `waits` is told the seconds before each wait."""
    waited = 0
    while True:
        response = ask()
        if response.is_success:
            return response
        refusal = error_from_response(response)
        if refusal.status != TOO_MANY_REQUESTS or refusal.retry_after is None:
            raise refusal
        seconds = max(1, refusal.retry_after)
        if waited + seconds > MOST_WAIT_SECONDS:
            raise _gave_up_error(refusal, waited) if waited else refusal
        waits(seconds)
        time.sleep(seconds)
        waited += seconds


def _gave_up_error(refusal: RemoteRefusal, waited: int) -> RemoteRefusal:
    message = refusal.message
    return RemoteRefusal(
        Message(
            "{message}; gave up after waiting {waited} seconds, please try again later",
            message=message,
            waited=waited,
        ),
        status=refusal.status,
        retry_after=refusal.retry_after,
    )

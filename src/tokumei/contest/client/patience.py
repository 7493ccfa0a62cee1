"""Asking again when the server says that it was asked too often.

    response = patiently(lambda: client.get("/contests"), waits=print)

Only what the server refused with 429 and a time to wait is asked again: it took nothing of it.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import httpx

from tokumei.contest.client.refusals import RemoteRefusal, refusal_of
from tokumei.core.text import Text

TOO_MANY = 429
MOST_SECONDS = 90
"""That one request waits in all; a longer wait (a day's quota) is left to its sentence."""


def patiently(ask: Callable[[], httpx.Response], waits: Callable[[int], None]) -> httpx.Response:
    """A good answer, or the refusal; `waits` is told the seconds before each wait."""
    waited = 0
    while True:
        response = ask()
        if response.is_success:
            return response
        refusal = refusal_of(response)
        if refusal.status != TOO_MANY or refusal.retry_after is None:
            raise refusal
        seconds = max(1, refusal.retry_after)
        if waited + seconds > MOST_SECONDS:
            raise _given_up(refusal, waited) if waited else refusal
        waits(seconds)
        time.sleep(seconds)
        waited += seconds


def _given_up(refusal: RemoteRefusal, waited: int) -> RemoteRefusal:
    told = refusal.message
    return RemoteRefusal(
        Text(
            f"{told.en}; given up after {waited} seconds of waiting, please try again later",
            f"{told.ja}。{waited} 秒待ちましたが受け付けられませんでした。"
            "時間をおいてもう一度お試しください",
        ),
        status=refusal.status,
        retry_after=refusal.retry_after,
    )

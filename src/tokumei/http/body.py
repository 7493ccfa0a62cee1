"""The body of a request on its way in: how large, how slow, and whether all of it has come."""

from __future__ import annotations

import asyncio

from starlette.types import Message, Receive, Scope

from tokumei.core.text import Text
from tokumei.http.refusals import too_large, too_slow

BODY = Text("the body", "本文")
MOST_LINGERED = 1 << 30
"""Nobody is listened to for more than this after the answer, however fast it comes."""


class Arriving:
    """`receive` that knows whether there is more to come."""

    def __init__(self, scope: Scope, receive: Receive) -> None:
        headers = dict(scope["headers"])
        sized = headers.get(b"content-length", b"0").strip(b"0") != b""
        self._receive = receive
        self.complete = not sized and b"transfer-encoding" not in headers

    async def __call__(self) -> Message:
        """The next message."""
        message = await self._receive()
        if message["type"] == "http.disconnect" or not message.get("more_body"):
            self.complete = True
        return message

    async def linger(self, seconds: float) -> None:
        """Read on for a moment: a connection closed on a sending client loses our answer."""

        async def drain() -> None:
            left = MOST_LINGERED
            while not self.complete and left > 0:
                left -= len((await self()).get("body", b""))

        try:
            await asyncio.wait_for(drain(), seconds)
        except TimeoutError:
            return


async def read_body(scope: Scope, receive: Receive, *, most: int, seconds: float) -> bytes:
    """The whole of a body; refused if it is too large or too slow."""
    require_size(scope, most)
    try:
        return await asyncio.wait_for(_read(receive, most), seconds)
    except TimeoutError:
        raise too_slow(BODY, seconds) from None


def require_size(scope: Scope, most: int) -> None:
    """Refuse a body that is said to be too large, unread."""
    told = dict(scope["headers"]).get(b"content-length", b"0")
    if told.isdigit() and int(told) > most:
        raise too_large(most)


async def _read(receive: Receive, most: int) -> bytes:
    parts: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        parts.append(message.get("body", b""))
        size += len(parts[-1])
        if size > most:
            raise too_large(most)
        if message["type"] == "http.disconnect" or not message.get("more_body"):
            return b"".join(parts)


def replayed(body: bytes, receive: Receive) -> Receive:
    """`receive` that gives the body again, and then waits for the client to leave."""
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def again() -> Message:
        return waiting.pop() if waiting else await receive()

    return again

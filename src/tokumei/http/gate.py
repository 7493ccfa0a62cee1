"""What every request passes: who asks, how much, how slowly; and what every response carries.

    app.add_middleware(Gate, answer=json_answer(shape), log=LOG, most_body=lambda scope: 65_536)

Small bodies are read here, so that a slow or endless one never reaches a route. An answer given
before all of a request has come ends the connection, after reading on for a moment. A bug is
answered and logged without its message, which may hold data.
"""

from __future__ import annotations

import asyncio
import logging
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from functools import partial

from starlette.requests import ClientDisconnect, Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tokumei.core.errors import TokumeiError
from tokumei.core.text import Text
from tokumei.http.answers import Answer
from tokumei.http.counting import Requests
from tokumei.http.headers import Headers
from tokumei.http.refusals import Broken, too_large, too_slow

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
        left = MOST_LINGERED
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while not self.complete and left > 0:
                    left -= len((await self()).get("body", b""))


async def read_body(scope: Scope, receive: Receive, *, most: int, seconds: float) -> bytes:
    """The whole of a body; refused if it is too large (unread if it says so) or too slow."""
    told = dict(scope["headers"]).get(b"content-length", b"0")
    if told.isdigit() and int(told) > most:
        raise too_large(most)
    body = bytearray()
    try:
        async with asyncio.timeout(seconds):
            while True:
                message = await receive()
                body += message.get("body", b"")
                if len(body) > most:
                    raise too_large(most)
                if message["type"] == "http.disconnect" or not message.get("more_body"):
                    return bytes(body)
    except TimeoutError:
        raise too_slow(BODY, seconds) from None


def replayed(body: bytes, receive: Receive) -> Receive:
    """`receive` that gives the body again, and then waits for the client to leave."""
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def again() -> Message:
        return waiting.pop() if waiting else await receive()

    return again


GATED = "tokumei.gated"


class Gate:
    """The outermost layer of an application, or of one mounted in another.

    `require` refuses a request by its head. `most_body` gives how many bytes its body may have;
    None leaves the body to the route. `translate` gives the refusal of an exception that is no bug,
    such as a database that is away.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        answer: Answer,
        log: logging.Logger,
        require: Callable[[Scope], None] = lambda scope: None,
        most_body: Callable[[Scope], int | None] = lambda scope: None,
        body_seconds: float = 30.0,
        linger_seconds: float = 1.0,
        headers: Headers = (),
        log_requests: bool = False,
        counts: Requests | None = None,
        translate: Callable[[Exception], TokumeiError | None] = lambda error: None,
    ) -> None:
        self._app, self._answer, self._log = app, answer, log
        self._require, self._most_body = require, most_body
        self._body_seconds, self._linger_seconds = body_seconds, linger_seconds
        self._headers, self._log_requests = headers, log_requests
        self._counts, self._translate = counts, translate

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        # Of gates within gates, the outer one lingers.
        lingers = 0.0 if GATED in scope else self._linger_seconds
        scope[GATED] = True
        arriving = Arriving(scope, receive)
        response = _Response(send, arriving, self._headers, lingers)
        if self._log_requests:
            response.told = partial(self._tell, scope, time.monotonic())
        try:
            self._require(scope)
            await self._app(scope, await self._taken(scope, arriving), response)
        except ClientDisconnect:
            return
        except TokumeiError as error:
            await self._refuse(scope, response, error)
        except Exception as error:  # noqa: BLE001 - a bug must not show data, nor end the server
            known = self._translate(error)
            if known is None:
                log_bug(self._log, error)
            await self._refuse(scope, response, known or Broken())

    async def _taken(self, scope: Scope, arriving: Arriving) -> Receive:
        most = self._most_body(scope)
        if most is None:
            return arriving
        body = await read_body(scope, arriving, most=most, seconds=self._body_seconds)
        return replayed(body, arriving)

    async def _refuse(self, scope: Scope, response: _Response, error: TokumeiError) -> None:
        """Answer with an error and close the connection, unless an answer is on its way."""
        if not response.begun:
            made = await self._answer(Request(scope), error)
            made.headers["connection"] = "close"
            await made(scope, response.arriving, response)

    def _tell(self, scope: Scope, began: float, status: int) -> None:
        """A line in the log: nothing that a client or the data can write into it."""
        route = getattr(scope.get("route"), "path", "-")
        spent = time.monotonic() - began
        if self._counts is not None:
            self._counts.add(status, spent)
        self._log.info("%s %s %d %.0f ms", scope["method"][:8], route, status, 1000 * spent)


class _Response:
    """`send` with headers of ours, which waits for the rest of a request before it ends."""

    def __init__(self, send: Send, arriving: Arriving, headers: Headers, lingers: float) -> None:
        self._send, self.arriving = send, arriving
        self._headers, self._lingers = headers, lingers
        self.begun = False
        self.told: Callable[[int], None] = lambda status: None

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.begun = True
            self.told(message["status"])
            message = self._dressed(message)
        elif not message.get("more_body") and self._lingers and not self.arriving.complete:
            await self._send({**message, "more_body": True})
            await self.arriving.linger(self._lingers)
            message = {"type": "http.response.body", "body": b"", "more_body": False}
        await self._send(message)

    def _dressed(self, message: Message) -> Message:
        given = {name.lower() for name, _ in message["headers"]}
        more = [pair for pair in self._headers if pair[0] not in given]
        if not self.arriving.complete and b"connection" not in given:
            more.append((b"connection", b"close"))
        return {**message, "headers": [*message["headers"], *more]}


def log_bug(log: logging.Logger, error: Exception) -> None:
    """Say where something broke; the message of an exception may hold data, so leave it out."""
    places = traceback.extract_tb(error.__traceback__)
    path = " > ".join(f"{frame.name}:{frame.lineno}" for frame in places[-6:])
    log.error("%s at %s", type(error).__name__, path)

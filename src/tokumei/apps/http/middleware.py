"""ASGI middleware: body size and time limits, security headers.

    app.add_middleware(
        RequestLimitsMiddleware, answer=json_error_responder(shape), log=LOG, most_body=most_bytes
    )

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
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.types import Message as AsgiMessage

from tokumei.apps.http.errors import InternalError, content_too_large_error, request_timeout_error
from tokumei.apps.http.headers import Headers
from tokumei.apps.http.metrics import RequestMetrics
from tokumei.apps.http.responses import ErrorResponder
from tokumei.core.errors import TokumeiError
from tokumei.core.messages import Message

BODY_TIMEOUT = Message("the body did not arrive within {seconds:g} seconds")
MAX_LINGER_BYTES = 1 << 30
"""Nobody is listened to for more than this after the answer, however fast it comes."""


class TrackedReceive:
    """`receive` that knows whether there is more to come."""

    def __init__(self, scope: Scope, receive: Receive) -> None:
        headers = dict(scope["headers"])
        sized = headers.get(b"content-length", b"0").strip(b"0") != b""
        self._receive = receive
        self.complete = not sized and b"transfer-encoding" not in headers

    async def __call__(self) -> AsgiMessage:
        """The next message."""
        message = await self._receive()
        if message["type"] == "http.disconnect" or not message.get("more_body"):
            self.complete = True
        return message

    async def drain_request(self, seconds: float) -> None:
        """Read on for a moment: a connection closed on a sending client loses our answer."""
        bytes_left = MAX_LINGER_BYTES
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while not self.complete and bytes_left > 0:
                    bytes_left -= len((await self()).get("body", b""))


async def read_body(scope: Scope, receive: Receive, *, most: int, seconds: float) -> bytes:
    """The whole of a body; refused if it is too large (unread if it says so) or too slow."""
    declared_length = dict(scope["headers"]).get(b"content-length", b"0")
    if declared_length.isdigit() and int(declared_length) > most:
        raise content_too_large_error(most)
    body = bytearray()
    try:
        async with asyncio.timeout(seconds):
            while True:
                message = await receive()
                body += message.get("body", b"")
                if len(body) > most:
                    raise content_too_large_error(most)
                if message["type"] == "http.disconnect" or not message.get("more_body"):
                    return bytes(body)
    except TimeoutError:
        raise request_timeout_error(BODY_TIMEOUT, seconds) from None


def replay_body(body: bytes, receive: Receive) -> Receive:
    """`receive` that gives the body again, and then waits for the client to leave."""
    pending: list[AsgiMessage] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive_again() -> AsgiMessage:
        return pending.pop() if pending else await receive()

    return receive_again


SCOPE_MARK = "tokumei.gated"


class RequestLimitsMiddleware:
    """The outermost layer of an application, or of one mounted in another.

    `require` refuses a request by its head. `body_limit` gives how many bytes its body may have;
    None leaves the body to the route. `translate` gives the refusal of an exception that is no bug,
    such as a database that is away.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        answer: ErrorResponder,
        log: logging.Logger,
        require: Callable[[Scope], None] = lambda scope: None,
        most_body: Callable[[Scope], int | None] = lambda scope: None,
        body_seconds: float = 30.0,
        linger_seconds: float = 1.0,
        headers: Headers = (),
        log_requests: bool = False,
        counts: RequestMetrics | None = None,
        translate: Callable[[Exception], TokumeiError | None] = lambda error: None,
    ) -> None:
        self._app, self._respond_error, self._log = app, answer, log
        self._check_request, self._max_body = require, most_body
        self._body_seconds, self._linger_seconds = body_seconds, linger_seconds
        self._headers, self._log_requests = headers, log_requests
        self._counts, self._translate = counts, translate

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        # Of gates within gates, the outer one lingers.
        lingers = 0.0 if SCOPE_MARK in scope else self._linger_seconds
        scope[SCOPE_MARK] = True
        arriving = TrackedReceive(scope, receive)
        response = _ResponseSender(send, arriving, self._headers, lingers)
        if self._log_requests:
            response.log_status = partial(self._log_request, scope, time.monotonic())
        try:
            self._check_request(scope)
            await self._app(scope, await self._limit_body(scope, arriving), response)
        except ClientDisconnect:
            return
        except TokumeiError as error:
            await self._send_error(scope, response, error)
        except Exception as error:  # noqa: BLE001 - a bug must not show data, nor end the server
            translated = self._translate(error)
            if translated is None:
                log_unexpected_error(self._log, error)
            await self._send_error(scope, response, translated or InternalError())

    async def _limit_body(self, scope: Scope, arriving: TrackedReceive) -> Receive:
        max_bytes = self._max_body(scope)
        if max_bytes is None:
            return arriving
        body = await read_body(scope, arriving, most=max_bytes, seconds=self._body_seconds)
        return replay_body(body, arriving)

    async def _send_error(
        self, scope: Scope, response: _ResponseSender, error: TokumeiError
    ) -> None:
        """Answer with an error and close the connection, unless an answer is on its way."""
        if not response.begun:
            error_response = await self._respond_error(Request(scope), error)
            error_response.headers["connection"] = "close"
            await error_response(scope, response.arriving, response)

    def _log_request(self, scope: Scope, began: float, status: int) -> None:
        """A line in the log: nothing that a client or the data can write into it."""
        route = getattr(scope.get("route"), "path", "-")
        spent = time.monotonic() - began
        if self._counts is not None:
            self._counts.add(status, spent)
        self._log.info("%s %s %d %.0f ms", scope["method"][:8], route, status, 1000 * spent)


class _ResponseSender:
    """`send` with headers of ours, which waits for the rest of a request before it ends."""

    def __init__(
        self, send: Send, arriving: TrackedReceive, headers: Headers, lingers: float
    ) -> None:
        self._send, self.arriving = send, arriving
        self._headers, self._linger_seconds = headers, lingers
        self.begun = False
        self.log_status: Callable[[int], None] = lambda status: None

    async def __call__(self, message: AsgiMessage) -> None:
        if message["type"] == "http.response.start":
            self.begun = True
            self.log_status(message["status"])
            message = self._add_headers(message)
        elif not message.get("more_body") and self._linger_seconds and not self.arriving.complete:
            await self._send({**message, "more_body": True})
            await self.arriving.drain_request(self._linger_seconds)
            message = {"type": "http.response.body", "body": b"", "more_body": False}
        await self._send(message)

    def _add_headers(self, message: AsgiMessage) -> AsgiMessage:
        existing_names = {name.lower() for name, _ in message["headers"]}
        extra_headers = [pair for pair in self._headers if pair[0] not in existing_names]
        if not self.arriving.complete and b"connection" not in existing_names:
            extra_headers.append((b"connection", b"close"))
        return {**message, "headers": [*message["headers"], *extra_headers]}


def log_unexpected_error(log: logging.Logger, error: Exception) -> None:
    """Say where something broke; the message of an exception may hold data, so leave it out."""
    places = traceback.extract_tb(error.__traceback__)
    path = " > ".join(f"{frame.name}:{frame.lineno}" for frame in places[-6:])
    log.error("%s at %s", type(error).__name__, path)

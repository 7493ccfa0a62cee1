"""What every request passes: its host, its size, its patience; and what every response carries.

The whole body is read here, so that a slow or endless one never reaches a route. After that
`receive` waits for the client to leave, which is how a search learns that nobody wants it.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Iterable
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tokumei.core.errors import TokumeiError
from tokumei.core.text import Text
from tokumei.http.refusals import headers_of, json_bytes, log_bug, status_of
from tokumei.price.service.limits import Limits
from tokumei.price.service.refusals import (
    BROKEN,
    HostError,
    ServiceError,
    TooLargeError,
    TooSlowError,
)

LOG = logging.getLogger("tokumei.price.service")
SECURITY = [
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
    (b"cache-control", b"no-store"),
]
PRICES = "/v1/prices"
LINGER_SECONDS = 1.0


class Gate:
    """The outermost layer of the application."""

    def __init__(self, app: ASGIApp, *, limits: Limits, hosts: Iterable[str] | None) -> None:
        self._app, self._limits = app, limits
        self._hosts = None if hosts is None else {host.lower() for host in hosts}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        guarded = _Response(scope, send)
        try:
            self._require_host(scope)
            body = await self._body(scope, receive)
            await self._app(scope, _replay(body, receive), guarded)
        except TokumeiError as error:
            await guarded.refuse(error)
            await _linger(receive)
            await guarded.end()
        except Exception as error:  # noqa: BLE001 - a bug must not show data, nor end the service
            log_bug(LOG, error)
            await guarded.refuse(ServiceError(BROKEN))
            await guarded.end()

    def _require_host(self, scope: Scope) -> None:
        named = dict(scope["headers"]).get(b"host", b"").decode("latin-1").lower()
        host = named.rpartition(":")[0] if named.rpartition(":")[2].isdecimal() else named
        if self._hosts is not None and host.strip("[]") not in self._hosts:
            raise HostError(
                Text(
                    "this service does not answer for that host; allow it with --allow-host",
                    "このホスト名には応答しません。--allow-host で許可できます",
                )
            )

    async def _body(self, scope: Scope, receive: Receive) -> bytes:
        limits = self._limits
        most = limits.price_bytes if scope["path"] == PRICES else limits.question_bytes
        told = dict(scope["headers"]).get(b"content-length", b"0")
        if told.isdigit() and int(told) > most:
            raise _too_large(most)
        try:
            return await asyncio.wait_for(_read(receive, most), limits.body_seconds)
        except TimeoutError:
            raise TooSlowError(
                Text(
                    f"the body did not arrive within {limits.body_seconds:g} seconds",
                    f"本文が {limits.body_seconds:g} 秒以内に届きませんでした",
                )
            ) from None


class _Response:
    """`send` with security headers and a line in the log; a refusal where nothing was sent."""

    def __init__(self, scope: Scope, send: Send) -> None:
        self._scope, self._send = scope, send
        self._began, self._started, self._ended = time.monotonic(), False, False

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._started = True
            given = {name for name, _ in message["headers"]}
            more = [pair for pair in SECURITY if pair[0] not in given]
            message = {**message, "headers": [*message["headers"], *more]}
            self._log(message["status"])
        elif not message.get("more_body"):
            self._ended = True
        await self._send(message)

    async def refuse(self, error: TokumeiError) -> None:
        """Answer with an error and close the connection, unless an answer is on its way."""
        if self._started:
            return
        body = json_bytes(error.as_json())
        headers = {
            "content-type": "application/json",
            "content-length": str(len(body)),
            "connection": "close",
            **headers_of(error),
        }
        pairs = [(name.encode(), value.encode()) for name, value in headers.items()]
        await self({"type": "http.response.start", "status": status_of(error), "headers": pairs})
        await self({"type": "http.response.body", "body": body, "more_body": True})

    async def end(self) -> None:
        """Nothing more will be sent."""
        if not self._ended:
            await self({"type": "http.response.body", "body": b"", "more_body": False})

    def _log(self, status: int) -> None:
        """Method, route, status and time: nothing that a client or the data can write into it."""
        route = getattr(self._scope.get("route"), "path", "-")
        spent = 1000 * (time.monotonic() - self._began)
        LOG.info("%s %s %d %.0f ms", self._scope["method"][:8], route, status, spent)


def _too_large(most: int) -> TooLargeError:
    return TooLargeError(
        Text(f"the body is larger than {most:,} bytes", f"本文が {most:,} バイトを超えています")
    )


async def _read(receive: Receive, most: int) -> bytes:
    parts: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        parts.append(message.get("body", b""))
        size += len(parts[-1])
        if size > most:
            raise _too_large(most)
        if message["type"] == "http.disconnect" or not message.get("more_body"):
            return b"".join(parts)


def _replay(body: bytes, receive: Receive) -> Callable[[], Any]:
    """`receive` that gives the body again, and then waits for the client to leave."""
    waiting = [{"type": "http.request", "body": body, "more_body": False}]

    async def replayed() -> Message:
        return waiting.pop() if waiting else await receive()

    return replayed


async def _linger(receive: Receive) -> None:
    """Read on for a moment: a connection closed on a sending client loses our answer."""

    async def drain() -> None:
        more = True
        while more:
            message = await receive()
            more = message["type"] == "http.request" and message.get("more_body", False)

    try:
        await asyncio.wait_for(drain(), LINGER_SECONDS)
    except TimeoutError:
        return

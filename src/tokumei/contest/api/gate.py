"""What every request passes: how often, how large, how slow; and what no bug gets past.

Small bodies are read here, so that an endless one never reaches a route. Uploads are read by their
routes (forms.py), straight to disk.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Hashable
from typing import Any

from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tokumei.contest.api.errors import BROKEN, LOG, Broken, error_response
from tokumei.contest.api.rates import MOST_ASKERS, Rates
from tokumei.contest.desk.refusals import too_large
from tokumei.core.errors import TokumeiError
from tokumei.core.text import Text
from tokumei.http.refusals import Refusal, log_bug

MOST_BODY = 64 << 10
BODY_SECONDS = 30.0
UPLOADS = re.compile(rb"POST .*/(contests|submissions|targets/[^/]+/attacks)")


class TooSlow(Refusal):
    """The client took too long."""

    status = 408


class Gate:
    """The outermost layer of the API."""

    def __init__(self, app: ASGIApp, *, rates: Rates | None) -> None:
        self._app, self._rates = app, rates
        self._accounts: dict[bytes, int] = {}
        """Whose tokens were valid, by the header they came in."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begun = False

        async def noted(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            if self._rates is not None:
                self._rates.require(self._asker(scope))
            scope["accounts"] = []  # filled by whoever looks a token up
            taken = receive if _is_upload(scope) else _replay(await _body(scope, receive), receive)
            await self._app(scope, taken, noted)
        except TokumeiError as error:
            response = error_response(error)
            response.headers["connection"] = "close"
            await response(scope, receive, send)
        except ClientDisconnect:
            return
        except Exception as error:  # noqa: BLE001 - a bug must not show data, nor end the server
            log_bug(LOG, error)
            if not begun:
                await error_response(Broken(BROKEN))(scope, receive, send)
        finally:
            self._remember(scope)

    def _asker(self, scope: Scope) -> Hashable:
        """Whose requests are counted together: those of one account, else from one address.

        Only a header that was valid before counts: anybody can make up a new one each time.
        """
        account = self._accounts.get(_authorization(scope))
        client = scope.get("client")
        return ("account", account) if account is not None else client and client[0]

    def _remember(self, scope: Scope) -> None:
        for account in scope.get("accounts", ()):
            if len(self._accounts) >= MOST_ASKERS:
                self._accounts.clear()
            self._accounts[_authorization(scope)] = account


def _authorization(scope: Scope) -> bytes:
    found: bytes = dict(scope["headers"]).get(b"authorization", b"")
    return found


def _is_upload(scope: Scope) -> bool:
    told = f"{scope['method']} {scope['path']}".encode("utf-8", "surrogatepass")
    return UPLOADS.fullmatch(told) is not None


async def _body(scope: Scope, receive: Receive) -> bytes:
    told = dict(scope["headers"]).get(b"content-length", b"0")
    if told.isdigit() and int(told) > MOST_BODY:
        raise too_large(MOST_BODY)
    try:
        return await asyncio.wait_for(_read(receive), BODY_SECONDS)
    except TimeoutError:
        raise TooSlow(
            Text(
                f"the body did not arrive within {BODY_SECONDS:g} seconds",
                f"本文が {BODY_SECONDS:g} 秒以内に届きませんでした",
            )
        ) from None


async def _read(receive: Receive) -> bytes:
    parts: list[bytes] = []
    while True:
        message = await receive()
        parts.append(message.get("body", b""))
        if sum(map(len, parts)) > MOST_BODY:
            raise too_large(MOST_BODY)
        if message["type"] == "http.disconnect" or not message.get("more_body"):
            return b"".join(parts)


def _replay(body: bytes, receive: Receive) -> Callable[[], Any]:
    waiting = [{"type": "http.request", "body": body, "more_body": False}]

    async def replayed() -> Message:
        return waiting.pop() if waiting else await receive()

    return replayed

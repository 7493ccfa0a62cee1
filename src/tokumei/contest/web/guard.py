"""What every answer carries: no foreign script, style, frame or guess of a type, nothing stored.

And what no request gets past: how often one address may ask for pages (programs have their own
rates), and a bug, whose message may hold data and is not told.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tokumei.contest.api.app import PREFIX
from tokumei.contest.api.errors import BROKEN, LOG, Broken
from tokumei.contest.api.rates import Rates
from tokumei.contest.desk.refusals import TooMany
from tokumei.core.errors import TokumeiError
from tokumei.http.refusals import log_bug

PAGES_AT_ONCE, PAGES_PER_SECOND = 2000, 100
"""For one address: a whole class may be behind it, and open pages ask every few seconds."""
FREE = (PREFIX + "/", "/static/")

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = [
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
    (b"cache-control", b"no-store"),
]
HTTPS = (b"strict-transport-security", b"max-age=31536000")


class Guard:
    """The outermost layer of the application."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        secure: bool,
        answer: Callable[[Request, TokumeiError], Awaitable[Response]],
        rates: Rates | None = None,
    ) -> None:
        self._app, self._answer = app, answer
        self._rates = rates or Rates(burst=PAGES_AT_ONCE, per_second=PAGES_PER_SECOND)
        self._headers = [*HEADERS, *([HTTPS] if secure else [])]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer as the application does, with our headers where it set none of its own."""
        begun = False

        async def dressed(message: Message) -> None:
            nonlocal begun
            begun = True
            if message["type"] == "http.response.start":
                given = {name.lower() for name, _ in message["headers"]}
                more = [pair for pair in self._headers if pair[0] not in given]
                message = {**message, "headers": [*message["headers"], *more]}
            await send(message)

        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        try:
            self._require_rate(scope)
            await self._app(scope, receive, dressed)
        except TooMany as error:  # not as a page: that costs as much as what was asked for
            told = f"{error.message.en}\n{error.message.ja}\n"
            await PlainTextResponse(told, error.status, error.headers)(scope, receive, dressed)
        except Exception as error:  # noqa: BLE001 - else the server logs the whole of it
            log_bug(LOG, error)
            if not begun:
                response = await self._answer(Request(scope, receive), Broken(BROKEN))
                await response(scope, receive, dressed)

    def _require_rate(self, scope: Scope) -> None:
        client = scope.get("client")
        if client is not None and not scope["path"].startswith(FREE):
            self._rates.require(client[0])

"""What pages are kept from: foreign scripts, bursts of one address, bugs that talk."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import Scope

from tokumei.contest.api.app import PREFIX
from tokumei.contest.api.errors import LOG
from tokumei.contest.web.errors import answer
from tokumei.core.errors import TokumeiError
from tokumei.http.headers import security_headers
from tokumei.http.rates import Rates
from tokumei.http.refusals import TooMany

PAGES_AT_ONCE, PAGES_PER_SECOND = 2000, 100
"""For one address: a whole class may be behind it, and open pages ask every few seconds."""
FREE = (PREFIX + "/", "/static/")
"""Programs have their own rates."""
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
LINGER_SECONDS = 5.0


def guard(*, secure: bool, rates: Rates | None = None) -> dict[str, Any]:
    """How the gate of the whole site is set; `secure` if it is reached over HTTPS alone."""
    held = rates or Rates(burst=PAGES_AT_ONCE, per_second=PAGES_PER_SECOND)

    def require(scope: Scope) -> None:
        client = scope.get("client")
        if client is not None and not scope["path"].startswith(FREE):
            held.require(client[0])

    headers = security_headers(POLICY, referrer="same-origin", https=secure)
    return {
        "answer": _answer,
        "log": LOG,
        "require": require,
        "headers": headers,
        "linger_seconds": LINGER_SECONDS,
    }


async def _answer(request: Request, error: TokumeiError) -> Response:
    if not isinstance(error, TooMany):
        return await answer(request, error)
    # Not as a page: that costs as much as what was asked for.
    told = f"{error.message.en}\n{error.message.ja}\n"
    return PlainTextResponse(told, error.status, error.headers)

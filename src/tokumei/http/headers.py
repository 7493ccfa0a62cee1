"""Headers: what every response carries, which hosts are answered for, which language is liked.

    preferred("fr, ja;q=0.8, en;q=0.5")        # "ja"

No foreign script, style, frame or guess of a type, no storing; a foreign page must not reach a
server under another name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from starlette.requests import Request
from starlette.types import Scope

from tokumei.core.text import Language
from tokumei.http.refusals import WrongHost

Headers = Sequence[tuple[bytes, bytes]]
NOTHING_AT_ALL = "default-src 'none'; frame-ancestors 'none'"
OWN_PAGES = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""Of pages that load, send and run nothing but what is of their own server."""
COOKIE = "lang"
LANGUAGES: dict[str | None, Language] = {"en": "en", "ja": "ja"}
YEAR = 365 * 24 * 3600


def security_headers(
    policy: str = NOTHING_AT_ALL, *, referrer: str = "no-referrer", https: bool = False
) -> Headers:
    """The headers, with a page's content policy; `https` once it is served over that alone."""
    found = {
        "content-security-policy": policy,
        "x-content-type-options": "nosniff",
        "x-frame-options": "DENY",
        "referrer-policy": referrer,
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
        "permissions-policy": "camera=(), geolocation=(), microphone=()",
        "cache-control": "no-store",
    }
    if https:
        found["strict-transport-security"] = "max-age=31536000"
    return [(name.encode(), value.encode()) for name, value in found.items()]


def only_for(hosts: Iterable[str] | None) -> Callable[[Scope], None]:
    """Refuses requests for other hosts (None: for any it answers)."""
    allowed = None if hosts is None else {host.lower() for host in hosts}

    def require(scope: Scope) -> None:
        named = dict(scope["headers"]).get(b"host", b"").decode("latin-1").lower()
        host = named.rpartition(":")[0] if named.rpartition(":")[2].isdecimal() else named
        if allowed is not None and host.strip("[]") not in allowed:
            raise WrongHost(
                "this service does not answer for that host; allow it with --allow-host",
                "このホスト名には応答しません。--allow-host で許可できます",
            )

    return require


def language_of(request: Request) -> Language:
    """The language of this visit."""
    for asked in (request.query_params.get("lang"), request.cookies.get(COOKIE)):
        if asked in LANGUAGES:
            return LANGUAGES[asked]
    return preferred(request.headers.get("accept-language", ""))


def preferred(header: str) -> Language:
    """The better liked of our two languages in an Accept-Language header, else English."""
    liked: dict[str, float] = {}
    for part in header.split(","):
        name, _, rest = part.strip().partition(";")
        tongue = name.lower().partition("-")[0]
        liked[tongue] = max(liked.get(tongue, 0.0), _quality(rest))
    return "ja" if liked.get("ja", 0.0) > liked.get("en", 0.0) else "en"


def _quality(parameters: str) -> float:
    name, _, value = parameters.strip().partition("=")
    try:
        return float(value) if name == "q" else 1.0
    except ValueError:
        return 0.0

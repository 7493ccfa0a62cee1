"""Security headers, allowed hosts, and the preferred language.

    preferred_language("fr, ja;q=0.8, en;q=0.5")        # "ja"

No foreign script, style, frame or guess of a type, no storing; a foreign page must not reach a
server under another name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from starlette.requests import Request
from starlette.types import Scope

from tokumei.apps.http.errors import MisdirectedRequest
from tokumei.core.messages import Language

Headers = Sequence[tuple[bytes, bytes]]
DENY_ALL_POLICY = "default-src 'none'; frame-ancestors 'none'"
SAME_ORIGIN_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""Of pages that load, send and run nothing but what is of their own server."""
LANGUAGE_COOKIE = "lang"
LANGUAGE_BY_CODE: dict[str | None, Language] = {"en": "en", "ja": "ja"}
SECONDS_PER_YEAR = 365 * 24 * 3600


def security_headers(
    policy: str = DENY_ALL_POLICY, *, referrer: str = "no-referrer", https: bool = False
) -> Headers:
    """The headers, with a page's content policy; `https` once it is served over that alone."""
    header_values = {
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
        header_values["strict-transport-security"] = "max-age=31536000"
    return [(name.encode(), value.encode()) for name, value in header_values.items()]


def require_allowed_host(hosts: Iterable[str] | None) -> Callable[[Scope], None]:
    """Refuses requests for other hosts (None: for any it answers)."""
    allowed = None if hosts is None else {host.lower() for host in hosts}

    def require(scope: Scope) -> None:
        host_header = dict(scope["headers"]).get(b"host", b"").decode("latin-1").lower()
        host = (
            host_header.rpartition(":")[0]
            if host_header.rpartition(":")[2].isdecimal()
            else host_header
        )
        if allowed is not None and host.strip("[]") not in allowed:
            raise MisdirectedRequest(
                "this service does not answer for that host; allow it with --allow-host",
                "このホスト名には応答しません。--allow-host で許可できます",
            )

    return require


def request_language(request: Request) -> Language:
    """The language of this visit."""
    for requested in (request.query_params.get("lang"), request.cookies.get(LANGUAGE_COOKIE)):
        if requested in LANGUAGE_BY_CODE:
            return LANGUAGE_BY_CODE[requested]
    return preferred_language(request.headers.get("accept-language", ""))


def preferred_language(header: str) -> Language:
    """The better liked of our two languages in an Accept-Language header, else English."""
    quality_by_language: dict[str, float] = {}
    for part in header.split(","):
        name, _, parameters = part.strip().partition(";")
        language_code = name.lower().partition("-")[0]
        quality_by_language[language_code] = max(
            quality_by_language.get(language_code, 0.0), _parse_quality(parameters)
        )
    return "ja" if quality_by_language.get("ja", 0.0) > quality_by_language.get("en", 0.0) else "en"


def _parse_quality(parameters: str) -> float:
    name, _, value = parameters.strip().partition("=")
    try:
        return float(value) if name == "q" else 1.0
    except ValueError:
        return 0.0

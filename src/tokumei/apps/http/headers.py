"""Security headers, allowed hosts, and the preferred language.

    preferred_language("fr, ja-JP;q=0.8, en;q=0.5")     # "ja", unless there is a French catalog

No foreign script, style, frame or guess of a type, no storing; a foreign page must not reach a
server under another name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from starlette.requests import Request
from starlette.types import Scope

from tokumei.apps.http.errors import MisdirectedRequest
from tokumei.core.catalogs import SOURCE_LANGUAGE, available_languages
from tokumei.core.language import Language

Headers = Sequence[tuple[bytes, bytes]]
DENY_ALL_POLICY = "default-src 'none'; frame-ancestors 'none'"
SAME_ORIGIN_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""Of pages that load, send and run nothing but what is of their own server."""
LANGUAGE_COOKIE = "lang"
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
                "this service does not answer for that host; allow it with --allow-host"
            )

    return require


def request_language(request: Request) -> Language:
    """The language of this visit."""
    for requested in (request.query_params.get("lang"), request.cookies.get(LANGUAGE_COOKIE)):
        if requested in available_languages():
            return requested
    return preferred_language(request.headers.get("accept-language", ""))


def preferred_language(header: str) -> Language:
    """Of the languages with a catalog the best liked in an Accept-Language header, else English."""
    qualities: dict[Language, float] = {}
    for part in header.split(","):
        tag, _, parameters = part.strip().partition(";")
        language = _language_for_tag(tag)
        if language is not None:
            qualities[language] = max(qualities.get(language, 0.0), _parse_quality(parameters))
    best = max(qualities, key=qualities.__getitem__, default=SOURCE_LANGUAGE)
    return best if qualities.get(best) else SOURCE_LANGUAGE


def language_tag(language: Language) -> str:
    """A language as HTML and browsers write it: pt-BR."""
    return language.replace("_", "-")


def _language_for_tag(tag: str) -> Language | None:
    """The catalog for a tag such as ja-JP: the very same, else one of its language."""
    by_tag = {language_tag(language).lower(): language for language in available_languages()}
    tag = tag.lower()
    relatives = [
        language
        for other_tag, language in by_tag.items()
        if other_tag.partition("-")[0] == tag.partition("-")[0]
    ]
    return by_tag.get(tag, relatives[0] if relatives else None)


def _parse_quality(parameters: str) -> float:
    name, _, value = parameters.strip().partition("=")
    try:
        return float(value) if name == "q" else 1.0
    except ValueError:
        return 0.0

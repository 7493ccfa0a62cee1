"""Which language a page is in: asked for by `?lang=`, remembered, or the browser's.

preferred("fr, ja;q=0.8, en;q=0.5")        # "ja"
"""

from __future__ import annotations

from starlette.requests import Request

from tokumei.core.text import Language

COOKIE = "lang"
LANGUAGES: dict[str | None, Language] = {"en": "en", "ja": "ja"}
YEAR = 365 * 24 * 3600


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

"""What every response carries: no foreign script, style, frame or guess of a type, no storing."""

from __future__ import annotations

from collections.abc import Sequence

Headers = Sequence[tuple[bytes, bytes]]
NOTHING_AT_ALL = "default-src 'none'; frame-ancestors 'none'"


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

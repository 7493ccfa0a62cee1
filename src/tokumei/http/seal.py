"""What the server gives to a browser and knows again: form tokens and one-shot notes.

token = form_token(key, cookie)
unseal(key, seal(key, {"en": "saved"}))        # {"en": "saved"}; None if anybody touched it

Signed by itsdangerous (HMAC with SHA-256). Each purpose has a salt of its own, so that what was
signed for one is worth nothing for the other.
"""

from __future__ import annotations

import hashlib
import hmac
from typing import Any

from itsdangerous import BadData, Signer, URLSafeTimedSerializer

_FORM, _NOTE = b"tokumei form", b"tokumei note"
_HOW = {"key_derivation": "hmac", "digest_method": hashlib.sha256}


def form_token(key: bytes, cookie: str) -> str:
    """What a form of the browser with this cookie must send along."""
    signer = Signer(key, salt=_FORM, key_derivation="hmac", digest_method=hashlib.sha256)
    return signer.get_signature(cookie).decode()


def same(given: str, wanted: str) -> bool:
    """Compares two tokens without telling by its time where they differ."""
    return hmac.compare_digest(given.encode(), wanted.encode())


def seal(key: bytes, data: dict[str, Any]) -> str:
    """Plain data as a cookie's value, signed, with the time."""
    return str(_notes(key).dumps(data))


def unseal(key: bytes, value: str, *, seconds: int | None = None) -> dict[str, Any] | None:
    """The data of `seal`; None if it is not ours, or older than `seconds`."""
    try:
        found = _notes(key).loads(value, max_age=seconds)
    except BadData:
        return None
    return found if isinstance(found, dict) else None


def _notes(key: bytes) -> URLSafeTimedSerializer:
    return URLSafeTimedSerializer(key, salt=_NOTE, signer_kwargs=_HOW)

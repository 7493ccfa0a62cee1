"""What the server gives to a browser and knows again: form tokens and one-shot notes.

token = form_token(key, cookie)
unseal(key, seal(key, {"en": "saved"}))        # {"en": "saved"}; None if anybody touched it
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
from typing import Any


def form_token(key: bytes, cookie: str) -> str:
    """What a form of the browser with this cookie must send along."""
    return _sum(key, b"form:" + cookie.encode())


def same(given: str, wanted: str) -> bool:
    """Compares two tokens without telling by its time where they differ."""
    return hmac.compare_digest(given.encode(), wanted.encode())


def seal(key: bytes, data: dict[str, Any]) -> str:
    """Plain data as a cookie's value, signed."""
    body = base64.urlsafe_b64encode(json.dumps(data, ensure_ascii=False).encode())
    return f"{_sum(key, b'note:' + body)}.{body.decode()}"


def unseal(key: bytes, value: str) -> dict[str, Any] | None:
    """The data of `seal`, or None if it is not ours."""
    signature, _, body = value.partition(".")
    if not same(signature, _sum(key, b"note:" + body.encode())):
        return None
    try:
        found = json.loads(base64.urlsafe_b64decode(body))
    except (binascii.Error, ValueError):
        return None
    return found if isinstance(found, dict) else None


def _sum(key: bytes, data: bytes) -> str:
    return hmac.new(key, data, hashlib.sha256).hexdigest()

"""Signs and verifies CSRF tokens and flash messages.

token = csrf_token(key, cookie)
verify_signed(key, sign_data(key, {"kind": "good"}))   # {"kind": "good"}; None if it was changed

Signed by itsdangerous (HMAC with SHA-256). Each purpose has a salt of its own, so that what was
signed for one is worth nothing for the other.
"""

from __future__ import annotations

import hashlib
import hmac

from itsdangerous import BadData, Signer, URLSafeTimedSerializer

from tokumei.core.json_types import JsonObject

_FORM_SALT, _NOTE_SALT = b"tokumei form", b"tokumei note"
_SIGNER_OPTIONS = {"key_derivation": "hmac", "digest_method": hashlib.sha256}


def csrf_token(key: bytes, cookie: str) -> str:
    """The token that a form must send back from the browser with this cookie."""
    signer = Signer(key, salt=_FORM_SALT, key_derivation="hmac", digest_method=hashlib.sha256)
    return signer.get_signature(cookie).decode()


def tokens_equal(token: str, expected: str) -> bool:
    """Compare two tokens in constant time."""
    return hmac.compare_digest(token.encode(), expected.encode())


def sign_data(key: bytes, data: JsonObject) -> str:
    """Plain data as a cookie's value, signed, with the time."""
    return str(_note_serializer(key).dumps(data))


def verify_signed(key: bytes, value: str, *, seconds: int | None = None) -> JsonObject | None:
    """The data that `sign_data` signed; None if it is not ours, or older than `seconds`."""
    try:
        data = _note_serializer(key).loads(value, max_age=seconds)
    except BadData:
        return None
    return data if isinstance(data, dict) else None


def _note_serializer(key: bytes) -> URLSafeTimedSerializer:
    return URLSafeTimedSerializer(key, salt=_NOTE_SALT, signer_kwargs=_SIGNER_OPTIONS)

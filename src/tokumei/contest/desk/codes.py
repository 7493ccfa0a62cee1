"""Secrets that we give out once and keep only as a hash: cookies, tokens, invite codes."""

from __future__ import annotations

import hashlib
import secrets

TOKEN_PREFIX = "tkm_"
_LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"


def new_secret() -> str:
    """32 random bytes, fit for a cookie or a header."""
    return secrets.token_urlsafe(32)


def new_token() -> str:
    """A program's key; the prefix lets people and scanners recognize it."""
    return TOKEN_PREFIX + new_secret()


def new_code() -> str:
    """A code to be read out or typed: 79 random bits, in groups."""
    return "-".join("".join(secrets.choice(_LETTERS) for _ in range(4)) for _ in range(4))


def normal_code(code: str) -> str:
    """A typed code as it was given out."""
    return "".join(letter for letter in code.upper() if letter.isalnum())


def hash_of(secret: str) -> str:
    """What is kept of a secret. It is long and random, so one SHA-256 suffices."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def hash_of_code(code: str) -> str:
    """What is kept of an invite code."""
    return hash_of(normal_code(code))

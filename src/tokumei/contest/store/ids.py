"""Identifiers that people see: random, so that nobody can count or guess them."""

from __future__ import annotations

import secrets

_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"
LENGTH = 20


def new_id() -> str:
    """20 small letters and digits (99 random bits); none that look alike."""
    return "".join(secrets.choice(_ALPHABET) for _ in range(LENGTH))

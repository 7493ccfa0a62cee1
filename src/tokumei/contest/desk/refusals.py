"""What the desk refuses, with the status that HTTP has for it.

TokumeiError
└── Refusal          any (tokumei.http.refusals)                                   400
    ├── LogInFirst   nobody is logged in, or not with this name and password   401
    ├── NotAllowed   known, but not for you                                    403
    │   └── Late     the phase is over, or has not begun                       403
    ├── NotFound     there is no such thing, or you may not know of it         404
    ├── Conflict     not now: something else stands against it                 409
    ├── TooLarge     more bytes than allowed                                   413
    ├── Wrong        a value that cannot be used                               422
    ├── TooMany      a quota or a rate; `retry_after` seconds, where known     429
    └── Busy         the server cannot take it just now                        503
"""

from __future__ import annotations

from typing import Any

from tokumei.core.text import Text
from tokumei.http.refusals import Refusal


class LogInFirst(Refusal):
    """Nobody is logged in."""

    status = 401

    def __init__(self, message: Text | None = None, **more: Any) -> None:
        told = message or Text("please log in first", "先にログインしてください")
        super().__init__(told, headers={"www-authenticate": "Bearer"}, **more)


class NotAllowed(Refusal):
    """Known, but not for this viewer."""

    status = 403


class Late(NotAllowed):
    """Outside the phase."""


class NotFound(Refusal):
    """No such thing, or one that the viewer may not know of."""

    status = 404

    def __init__(self, message: Text | None = None, **more: Any) -> None:
        super().__init__(message or Text("there is no such thing here", "見つかりません"), **more)


class Conflict(Refusal):
    """Something else stands against it."""

    status = 409


class TooLarge(Refusal):
    """More bytes than allowed."""

    status = 413


class Wrong(Refusal):
    """A value that cannot be used."""

    status = 422


class TooMany(Refusal):
    """A quota or a rate."""

    status = 429


class Busy(Refusal):
    """The server cannot take it just now."""

    status = 503


def too_large(most: int) -> TooLarge:
    """The refusal of more than `most` bytes."""
    shown = f"{most / 2**20:g} MB" if most >= 2**20 else f"{most:,} bytes"
    return TooLarge(
        Text(
            f"this is larger than the allowed {shown}",
            f"大きさが上限の {shown.replace('bytes', 'バイト')} を超えています",
        )
    )

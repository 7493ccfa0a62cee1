"""What a service refuses over HTTP: errors with a status and headers.

    class Conflict(Refusal):
        status = 409

    raise Conflict(Text("not now", "今はできません"), retry_after=5)
    status_of(error), headers_of(error), json_bytes(error.as_json())      # of any error

The errors of other rooms are about what was sent, so they have a status as well.
"""

from __future__ import annotations

import json
import logging
import traceback
from collections.abc import Mapping
from typing import Any, ClassVar

from tokumei.core.errors import ClaimError, OutputError, TokumeiError
from tokumei.core.text import Text


class Refusal(TokumeiError):
    """Base of all refusals; `retry_after` seconds, where known."""

    status: ClassVar[int] = 400

    def __init__(
        self,
        message: Text,
        *,
        retry_after: int | None = None,
        headers: Mapping[str, str] | None = None,
        **more: Any,
    ) -> None:
        super().__init__(message, **more)
        self.retry_after = retry_after
        wait = {} if retry_after is None else {"retry-after": str(retry_after)}
        self.headers = {**wait, **(headers or {})}


def status_of(error: TokumeiError) -> int:
    """The HTTP status of any error."""
    if isinstance(error, Refusal):
        return error.status
    if isinstance(error, OutputError):
        return 507
    return 500 if isinstance(error, ClaimError) else 422


def headers_of(error: TokumeiError) -> dict[str, str]:
    """The HTTP headers that belong to any error."""
    return error.headers if isinstance(error, Refusal) else {}


def json_bytes(content: Any) -> bytes:
    """JSON in UTF-8; half a surrogate pair, which UTF-8 cannot hold, stays escaped."""
    text = json.dumps(content, ensure_ascii=False, allow_nan=False)
    return text.encode("utf-8", "backslashreplace")


def log_bug(log: logging.Logger, error: Exception) -> None:
    """Say where something broke; the message of an exception may hold data, so leave it out."""
    places = traceback.extract_tb(error.__traceback__)
    path = " > ".join(f"{frame.name}:{frame.lineno}" for frame in places[-6:])
    log.error("%s at %s", type(error).__name__, path)

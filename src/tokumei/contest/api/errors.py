"""Every error of the API in one JSON shape: TokumeiError.as_json() and the HTTP status."""

from __future__ import annotations

import logging
from typing import Any

from tokumei.core.errors import TokumeiError
from tokumei.core.text import Text
from tokumei.http.answers import FieldErrors, json_answer
from tokumei.http.refusals import FIELDS, NotFound, Refusal, Wrong, field_faults, status_of

LOG = logging.getLogger("tokumei.contest.api")
UNREADABLE = Wrong(Text("the body cannot be read", "本文を読み取れません"))


def error_json(error: TokumeiError) -> dict[str, Any]:
    """The one shape."""
    return error.as_json() | {"status": status_of(error)}


answer = json_answer(error_json)


def field_error(found: FieldErrors) -> Refusal:
    """What is wrong with the fields of a request; an address that cannot be is just not there."""
    if any(fault["loc"][0] == "path" for fault in found):
        return NotFound()
    return Wrong(FIELDS, faults=field_faults(found))

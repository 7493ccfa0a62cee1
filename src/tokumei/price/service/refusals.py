"""Every error of the service in the one JSON shape.

| status | error           | when                                         |
|--------|-----------------|----------------------------------------------|
| 400    | RequestError    | not HTTP or JSON                             |
| 404    | NotFoundError   | no such address, session or price list       |
| 405    | MethodError     | the address takes another method             |
| 408    | TooSlowError    | header or body did not arrive in time        |
| 413    | TooLargeError   | the body is larger than allowed              |
| 415    | ContentError    | the body is of another type                  |
| 421    | HostError       | it was meant for another host                |
| 422    | BodyError       | fields that are unknown, missing or wrong    |
| 422    | any other       | the question cannot be answered              |
| 500    | ServiceError    | a bug of ours                                |
| 500    | ClaimError      | the verifier refused the answer              |
| 503    | BusyError       | too many searches are waiting                |
"""

from __future__ import annotations

import logging
from typing import Any

from tokumei.core.errors import TokumeiError
from tokumei.core.text import Text
from tokumei.http.answers import FieldErrors, json_answer
from tokumei.http.refusals import (
    Broken,
    Busy,
    NotFound,
    Refusal,
    TooLarge,
    TooSlow,
    Wrong,
    WrongContent,
    WrongHost,
    WrongMethod,
    field_faults,
)

LOG = logging.getLogger("tokumei.price.service")
NAMES: dict[type[TokumeiError], str] = {
    Refusal: "RequestError",
    NotFound: "NotFoundError",
    WrongMethod: "MethodError",
    TooSlow: "TooSlowError",
    TooLarge: "TooLargeError",
    WrongContent: "ContentError",
    WrongHost: "HostError",
    Wrong: "BodyError",
    Broken: "ServiceError",
    Busy: "BusyError",
}
NOT_JSON = Refusal("the body is not JSON", "本文が JSON ではありません")


def error_json(error: TokumeiError) -> dict[str, Any]:
    """The one shape."""
    found = error.as_json()
    return found | {"error": NAMES.get(type(error), found["error"])}


answer = json_answer(error_json)


def body_error(errors: FieldErrors) -> Refusal:
    """The error for fields that do not pass; their content is not repeated."""
    if any(error["type"] == "json_invalid" for error in errors):
        return NOT_JSON
    if any(error["loc"] == ("body",) and error["type"] != "missing" for error in errors):
        return Wrong(
            "the body must be a JSON object with content-type application/json",
            "本文は content-type が application/json の JSON オブジェクトにしてください",
        )
    message = Text("the question cannot be read", "質問を読めません")
    return Wrong(message, faults=field_faults(errors))

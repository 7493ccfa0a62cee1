"""Response models of the service (its OpenAPI schema), and its errors.

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
from typing import Literal

from pydantic import BaseModel, Field

from tokumei.apps.http.errors import (
    ContentTooLarge,
    HttpError,
    InternalError,
    MethodNotAllowed,
    MisdirectedRequest,
    NotFound,
    RequestTimeout,
    ServiceUnavailable,
    UnprocessableContent,
    UnsupportedMediaType,
    field_violations,
)
from tokumei.apps.http.responses import FieldErrors, json_error_responder
from tokumei.core.errors import TokumeiError
from tokumei.core.json_types import JsonObject
from tokumei.core.messages import Message


class SampleRow(BaseModel):
    """A row as it would be released; null where the column is deleted."""

    cells: list[str | None]
    people: int = Field(description="how many people have this very row")


class Sample(BaseModel):
    """The largest groups."""

    columns: list[str]
    rows: list[SampleRow]


class Choice(BaseModel):
    """A recoding and its value."""

    value: float = Field(description="value of the release in currency")
    original_value: float = Field(description="value of the data as they are")
    ratio: float | None = Field(description="value / original_value; null if nothing has a price")
    choice: dict[str, str] = Field(description="the pattern of every column; 'delete': left out")
    values: dict[str, float] = Field(description="value by column")
    k: int = Field(description="people in the smallest group")
    suppressed: int = Field(description="people left out")
    optimal: bool = Field(description="whether it is proven that nothing better exists")
    bound: float = Field(description="what no choice can exceed")
    gap: float | None = Field(description="bound / value - 1: how far from optimal it can be")
    currency: str


class PriceSource(BaseModel):
    """Where prices come from."""

    source: str
    sha256: str | None
    date: str | None
    currency: str


class Optimum(Choice):
    """The best recoding, what it was made from and what it looks like."""

    ok: Literal[True]
    asked_k: int = Field(description="the k of the question")
    original_values: dict[str, float] = Field(description="original value by column")
    words: dict[str, tuple[int, int]] = Field(
        description="words by column: as original, and as chosen (0: deleted)"
    )
    answers: list[Choice] = Field([], description="all answers, if more than one was asked for")
    sample: Sample
    session: str
    prices: list[PriceSource]
    prices_id: str
    seconds: float = Field(description="from the question to the answer, in the service")


class SessionItem(BaseModel):
    """Data that questions can be asked about."""

    name: str
    rows: int
    columns: list[str]


class SessionList(BaseModel):
    """All sessions."""

    ok: Literal[True]
    sessions: list[SessionItem]


class PriceItem(BaseModel):
    """A price list; `attributes` gives the patterns of every attribute."""

    id: str
    name: str
    date: str | None
    currency: str
    attributes: dict[str, list[str]]
    unpriced: int = Field(description="words without a price; they count as worth nothing")


class AddedPrices(PriceItem):
    """The price list that was uploaded."""

    ok: Literal[True]


class PriceLists(BaseModel):
    """All price lists."""

    ok: Literal[True]
    prices: list[PriceItem]


class Health(BaseModel):
    """The service is up."""

    ok: Literal[True]
    version: str
    searches: int = Field(description="searches that run or wait")


SERVICE_LOG = logging.getLogger("tokumei.apps.price.service")
ERROR_NAMES: dict[type[TokumeiError], str] = {
    HttpError: "RequestError",
    NotFound: "NotFoundError",
    MethodNotAllowed: "MethodError",
    RequestTimeout: "TooSlowError",
    ContentTooLarge: "TooLargeError",
    UnsupportedMediaType: "ContentError",
    MisdirectedRequest: "HostError",
    UnprocessableContent: "BodyError",
    InternalError: "ServiceError",
    ServiceUnavailable: "BusyError",
}
NOT_JSON_ERROR = HttpError("the body is not JSON")


def error_json(error: TokumeiError) -> JsonObject:
    """The one shape."""
    data = error.as_json()
    return data | {"error": ERROR_NAMES.get(type(error), data["error"])}


answer_error = json_error_responder(error_json)


def body_error(errors: FieldErrors) -> HttpError:
    """The error for fields that do not pass; their content is not repeated."""
    if any(error["type"] == "json_invalid" for error in errors):
        return NOT_JSON_ERROR
    if any(error["loc"] == ("body",) and error["type"] != "missing" for error in errors):
        return UnprocessableContent(
            "the body must be a JSON object with content-type application/json"
        )
    message = Message("the question cannot be read")
    return UnprocessableContent(message, faults=field_violations(errors))

"""Exceptions of a server, each with its HTTP status.

TokumeiError
└── HttpError                 cannot be read at all                                     400
    ├── Unauthorized          nobody is logged in, or not with this name and password   401
    ├── Forbidden             known, but not for you                                    403
    ├── NotFound              there is no such thing, or you may not know of it         404
    ├── MethodNotAllowed      the address takes another method                          405
    ├── RequestTimeout        a header or a body did not arrive in time                 408
    ├── Conflict              not now: something else stands against it                 409
    ├── ContentTooLarge       more bytes than allowed                                   413
    ├── UnsupportedMediaType  another type of content                                   415
    ├── MisdirectedRequest    the request was meant for another host                    421
    ├── UnprocessableContent  a value that cannot be used                               422
    ├── TooManyRequests       a quota or a rate; `retry_after` seconds, where known     429
    ├── InternalError         a bug of ours; the log says where                         500
    └── ServiceUnavailable    the server cannot take it just now                        503

    raise Conflict("the team is full ({most} members)", most=5)
    http_status(error), http_headers(error)                                          # of any error

The errors of other rooms are about what was sent, so they have a status as well.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from pydantic_core import ErrorDetails

from tokumei.core.errors import ClaimError, OutputError, TokumeiError, Violation
from tokumei.core.messages import Message

INVALID_FIELDS = Message("fields are unknown, missing or wrong")
MESSAGE_BY_ERROR_TYPE = {
    "missing": Message("{field} is missing"),
    "extra_forbidden": Message("{field} is not a known field"),
    "json_invalid": Message("{field} is not JSON"),
    "int_type": Message("{field} must be a whole number"),
    "float_type": Message("{field} must be a number"),
    "string_type": Message("{field} must be a text"),
    "list_type": Message("{field} must be a list"),
    "dict_type": Message("{field} must be an object"),
    "model_attributes_type": Message("{field} must be an object"),
    "finite_number": Message("{field} must be a finite number"),
    "greater_than": Message("{field} must be more than {gt}"),
    "greater_than_equal": Message("{field} must be {ge} or more"),
    "less_than_equal": Message("{field} must be {le} or less"),
    "string_too_short": Message("{field} must have at least {min_length} characters"),
    "string_too_long": Message("{field} must have at most {max_length} characters"),
    "too_short": Message("{field} must have at least {min_length} items"),
    "too_long": Message("{field} must have at most {max_length} items"),
}
ERROR_BOUNDS = ("gt", "ge", "le", "min_length", "max_length")
OTHER_VALUE_ERROR = Message("{field} has a value that cannot be used")


class HttpError(TokumeiError):
    """Base of all refusals; `retry_after` seconds, where known."""

    status: ClassVar[int] = 400
    usual: ClassVar[Message] = Message("this cannot be read")
    """The default message."""
    always: ClassVar[Mapping[str, str]] = {}
    """Headers that belong to it."""

    def __init_subclass__(cls, status: int | None = None) -> None:
        """The head of a class tells its status; without, that of its base holds."""
        cls.status = cls.status if status is None else status

    def __init__(
        self,
        message: Message | str | None = None,
        /,
        *,
        retry_after: int | None = None,
        headers: Mapping[str, str] | None = None,
        faults: Sequence[Violation] = (),
        total: int | None = None,
        **values: Any,
    ) -> None:
        super().__init__(
            self.usual if message is None else message, faults=faults, total=total, **values
        )
        self.retry_after = retry_after
        wait = {} if retry_after is None else {"retry-after": str(retry_after)}
        self.headers = {**wait, **self.always, **(headers or {})}


class Unauthorized(HttpError, status=401):
    """Nobody is logged in, or not with this name and password."""

    usual = Message("please log in first")
    always: ClassVar = {"www-authenticate": "Bearer"}


class Forbidden(HttpError, status=403):
    """Known, but not for this viewer."""


class NotFound(HttpError, status=404):
    """No such thing, or one that the viewer may not know of."""

    usual = Message("this does not exist")


class MethodNotAllowed(HttpError, status=405):
    """The address takes another method."""

    usual = Message("this address does not accept this method")


class RequestTimeout(HttpError, status=408):
    """A header or a body did not arrive in time."""


class Conflict(HttpError, status=409):
    """Something else stands against it."""


class ContentTooLarge(HttpError, status=413):
    """More bytes than allowed."""


class UnsupportedMediaType(HttpError, status=415):
    """Another type of content."""


class MisdirectedRequest(HttpError, status=421):
    """A request for another host: a foreign page may be behind it."""


class UnprocessableContent(HttpError, status=422):
    """A value that cannot be used."""


class TooManyRequests(HttpError, status=429):
    """A quota or a rate."""


class InternalError(HttpError, status=500):
    """Something of ours broke; the log says where."""

    usual = Message("something went wrong in the server; see its log")


class ServiceUnavailable(HttpError, status=503):
    """The server cannot take it just now."""


def content_too_large_error(most: int) -> ContentTooLarge:
    """The refusal of more than `most` bytes."""
    if most >= 2**20:
        megabytes = most / 2**20
        return ContentTooLarge(
            "this is larger than the allowed {megabytes:g} MB", megabytes=megabytes
        )
    return ContentTooLarge("this is larger than the allowed {most:,} bytes", most=most)


def request_timeout_error(reason: Message, seconds: float) -> RequestTimeout:
    """The refusal of what did not arrive in time; `reason` says what, and has `{seconds}`."""
    return RequestTimeout(reason.fill(seconds=seconds))


def http_status(error: TokumeiError) -> int:
    """The HTTP status of any error."""
    if isinstance(error, HttpError):
        return error.status
    if isinstance(error, OutputError):
        return 507
    return 500 if isinstance(error, ClaimError) else 422


def http_headers(error: TokumeiError) -> dict[str, str]:
    """The HTTP headers that belong to any error."""
    return error.headers if isinstance(error, HttpError) else {}


def field_violations(errors: Sequence[ErrorDetails]) -> list[Violation]:
    """One fault for each problem that pydantic found."""
    return [_field_violation(error) for error in errors]


def _field_violation(error: ErrorDetails) -> Violation:
    field = ".".join(str(part)[:80] for part in error["loc"][1:]) or "body"
    reason = MESSAGE_BY_ERROR_TYPE.get(error["type"], OTHER_VALUE_ERROR)
    bounds = {name: v for name, v in error.get("ctx", {}).items() if name in ERROR_BOUNDS}
    message = reason.fill(field=field, **bounds)
    return Violation(rule=str(error["type"]), column=field, message=message)

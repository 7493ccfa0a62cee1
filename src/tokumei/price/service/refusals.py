"""Every error of the service: an HTTP status and the one JSON shape.

TokumeiError
├── RequestError           the request is not HTTP or JSON             400
│   ├── HostError          it was meant for another host               421
│   ├── NotFoundError      no such address, session or price list      404
│   ├── MethodError        the address takes another method            405
│   ├── TooSlowError       header or body did not arrive in time       408
│   ├── TooLargeError      the body is larger than allowed             413
│   ├── ContentError       the body is of another type                 415
│   ├── BodyError          fields that are unknown, missing or wrong   422
│   ├── BusyError          too many searches are waiting               503
│   └── ServiceError       a bug of ours                               500
├── ClaimError             the verifier refused the answer             500
└── any other              the question cannot be answered             422
"""

from __future__ import annotations

from tokumei.core.text import Text
from tokumei.http.refusals import Refusal


class RequestError(Refusal):
    """A request that cannot be read."""


class HostError(RequestError):
    """A request for another host: a foreign page may be behind it."""

    status = 421


class NotFoundError(RequestError):
    """There is nothing at this address."""

    status = 404


class MethodError(RequestError):
    """The address exists, but takes another method."""

    status = 405


class TooSlowError(RequestError):
    """The client took too long."""

    status = 408


class TooLargeError(RequestError):
    """The client sent too much."""

    status = 413


class ContentError(RequestError):
    """The client sent another type of content."""

    status = 415


class BodyError(RequestError):
    """Fields are unknown, missing or wrong."""

    status = 422


class BusyError(RequestError):
    """Too many searches are waiting."""

    status = 503


class ServiceError(RequestError):
    """Something of ours broke; the log says where."""

    status = 500


BROKEN = Text(
    "something went wrong in the service; see its log",
    "サービス内部で問題が起きました。ログを確認してください",
)

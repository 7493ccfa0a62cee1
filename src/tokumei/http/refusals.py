"""What a server refuses, with the status that HTTP has for it.

TokumeiError
└── Refusal           cannot be read at all                                      400
    ├── LogInFirst    nobody is logged in, or not with this name and password    401
    ├── NotAllowed    known, but not for you                                     403
    ├── NotFound      there is no such thing, or you may not know of it          404
    ├── WrongMethod   the address takes another method                           405
    ├── TooSlow       a header or a body did not arrive in time                  408
    ├── Conflict      not now: something else stands against it                  409
    ├── TooLarge      more bytes than allowed                                    413
    ├── WrongContent  another type of content                                    415
    ├── WrongHost     the request was meant for another host                     421
    ├── Wrong         a value that cannot be used                                422
    ├── TooMany       a quota or a rate; `retry_after` seconds, where known      429
    ├── Broken        a bug of ours; the log says where                          500
    └── Busy          the server cannot take it just now                         503

    raise Conflict("not now", "今はできません", retry_after=5)
    status_of(error), headers_of(error)                                          # of any error

The errors of other rooms are about what was sent, so they have a status as well.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from tokumei.core.errors import ClaimError, Fault, OutputError, TokumeiError
from tokumei.core.text import Text

FIELDS = Text("fields are unknown, missing or wrong", "項目に不足や誤りがあります")
KINDS = {
    "missing": Text("is missing", "必須です"),
    "extra_forbidden": Text("is not a known field", "存在しない項目です"),
    "json_invalid": Text("is not JSON", "JSON ではありません"),
    "int_type": Text("must be a whole number", "整数にしてください"),
    "float_type": Text("must be a number", "数値にしてください"),
    "string_type": Text("must be a text", "文字列にしてください"),
    "list_type": Text("must be a list", "配列にしてください"),
    "dict_type": Text("must be an object", "オブジェクトにしてください"),
    "model_attributes_type": Text("must be an object", "オブジェクトにしてください"),
    "finite_number": Text("must be a finite number", "有限の数にしてください"),
    "greater_than": Text("must be more than {gt}", "{gt} より大きくしてください"),
    "greater_than_equal": Text("must be {ge} or more", "{ge} 以上にしてください"),
    "less_than_equal": Text("must be {le} or less", "{le} 以下にしてください"),
    "string_too_short": Text(
        "must have {min_length} or more characters", "{min_length} 文字以上にしてください"
    ),
    "string_too_long": Text(
        "must have {max_length} characters at most", "{max_length} 文字以内にしてください"
    ),
    "too_short": Text("must have {min_length} or more items", "{min_length} 個以上にしてください"),
    "too_long": Text("must have {max_length} items at most", "{max_length} 個以内にしてください"),
}
OTHER = Text("has a value that cannot be used", "値が正しくありません")


class Refusal(TokumeiError):
    """Base of all refusals; `retry_after` seconds, where known."""

    status: ClassVar[int] = 400
    usual: ClassVar[Text] = Text("this cannot be read", "読み取れません")
    """What is said when there is nothing more to say."""
    always: ClassVar[Mapping[str, str]] = {}
    """Headers that belong to it."""

    def __init_subclass__(cls, status: int | None = None) -> None:
        """The head of a class tells its status; without, that of its base holds."""
        cls.status = cls.status if status is None else status

    def __init__(
        self,
        message: Text | str | None = None,
        ja: str = "",
        *,
        retry_after: int | None = None,
        headers: Mapping[str, str] | None = None,
        **more: Any,
    ) -> None:
        super().__init__(self.usual if message is None else message, ja, **more)
        self.retry_after = retry_after
        wait = {} if retry_after is None else {"retry-after": str(retry_after)}
        self.headers = {**wait, **self.always, **(headers or {})}


class LogInFirst(Refusal, status=401):
    """Nobody is logged in, or not with this name and password."""

    usual = Text("please log in first", "先にログインしてください")
    always: ClassVar = {"www-authenticate": "Bearer"}


class NotAllowed(Refusal, status=403):
    """Known, but not for this viewer."""


class NotFound(Refusal, status=404):
    """No such thing, or one that the viewer may not know of."""

    usual = Text("this does not exist", "見つかりません")


class WrongMethod(Refusal, status=405):
    """The address takes another method."""

    usual = Text("this address takes another method", "このアドレスは別のメソッドを受け付けます")


class TooSlow(Refusal, status=408):
    """A header or a body did not arrive in time."""


class Conflict(Refusal, status=409):
    """Something else stands against it."""


class TooLarge(Refusal, status=413):
    """More bytes than allowed."""


class WrongContent(Refusal, status=415):
    """Another type of content."""


class WrongHost(Refusal, status=421):
    """A request for another host: a foreign page may be behind it."""


class Wrong(Refusal, status=422):
    """A value that cannot be used."""


class TooMany(Refusal, status=429):
    """A quota or a rate."""


class Broken(Refusal, status=500):
    """Something of ours broke; the log says where."""

    usual = Text(
        "something went wrong in the server; see its log",
        "サーバー内部で問題が起きました。ログを確認してください",
    )


class Busy(Refusal, status=503):
    """The server cannot take it just now."""


def too_large(most: int) -> TooLarge:
    """The refusal of more than `most` bytes."""
    shown = f"{most / 2**20:g} MB" if most >= 2**20 else f"{most:,} bytes"
    return TooLarge(
        f"this is larger than the allowed {shown}",
        f"大きさが上限の {shown.replace('bytes', 'バイト')} を超えています",
    )


def too_slow(what: Text, seconds: float) -> TooSlow:
    """The refusal of what did not arrive in time."""
    return TooSlow(
        f"{what.en} did not arrive within {seconds:g} seconds",
        f"{what.ja}が {seconds:g} 秒以内に届きませんでした",
    )


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


def field_faults(errors: Sequence[Mapping[str, Any]]) -> list[Fault]:
    """One fault for each problem that pydantic found."""
    return [_fault(error) for error in errors]


def _fault(error: Mapping[str, Any]) -> Fault:
    field = ".".join(str(part)[:80] for part in error["loc"][1:]) or "body"
    said, bounds = KINDS.get(error["type"], OTHER), error.get("ctx", {})
    message = Text(f"{field}: {said.en.format(**bounds)}", f"{field}: {said.ja.format(**bounds)}")
    return Fault(rule=str(error["type"]), column=field, message=message)

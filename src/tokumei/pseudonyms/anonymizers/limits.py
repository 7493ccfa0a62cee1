"""What the figures of the method `pseudonyms` may be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokumei.core.errors import UsageError
from tokumei.core.text import Text

if TYPE_CHECKING:
    from tokumei.pseudonyms.anonymizers.pseudonyms import Pseudonyms


def require_limits(method: Pseudonyms) -> None:
    """Fail, naming the parameter, unless every figure makes sense."""
    for name in ("exchange", "replace"):
        _require(0 <= getattr(method, name) <= 1, name, Text("0 to 1", "0〜1"))
    for name in ("price_noise", "delete"):
        below = Text("0 or more, below 1", "0 以上 1 未満")
        _require(0 <= getattr(method, name) < 1, name, below)
    for name in ("day_shift", "time_shift", "quantity_noise"):
        _require(getattr(method, name) >= 0, name, Text("0 or more", "0 以上"))
    for name in ("prefix", "lifetime"):
        given = getattr(method, name)
        _require(given is None or given >= 1, name, Text("1 or more", "1 以上"))
    day = method.day
    _require(isinstance(day, str) or 1 <= day <= 31, "day", Text("1 to 31", "1〜31"))
    _require_alone(method)
    _require_bound(method)


def _require_alone(method: Pseudonyms) -> None:
    """A column is either moved or replaced."""
    for name in ("day", "time"):
        if getattr(method, name) != "keep" and getattr(method, f"{name}_shift"):
            raise UsageError(
                f"pseudonyms: give either {name} or {name}_shift",
                f"pseudonyms: {name} と {name}_shift はどちらか一方だけ指定してください",
            )


def _require_bound(method: Pseudonyms) -> None:
    if (method.exposure is None) != (method.bound is None):
        raise UsageError(
            "pseudonyms: exposure (rows, items or risk) and bound go together",
            "pseudonyms: exposure (rows, items, risk) と bound は一緒に指定してください",
        )
    _require(0 < method.known <= 1, "known", Text("above 0, at most 1", "0 より大きく 1 以下"))
    if method.bound is None:
        return
    if method.exposure == "risk":
        _require(0 <= method.bound <= 1, "bound", Text("0 to 1", "0〜1"))
    else:
        _require(method.bound >= 1, "bound", Text("1 or more", "1 以上"))


def _require(holds: bool, name: str, allowed: Text) -> None:
    if not holds:
        raise UsageError(
            f"pseudonyms: '{name}' must be {allowed.en}",
            f"pseudonyms: '{name}' は {allowed.ja} でなければなりません",
        )

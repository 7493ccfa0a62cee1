"""Limits of the re-identification risk: "average-risk=0.05", "records-at-risk=0.2,0.05".

    limit = parse_risk_limit("average-risk=0.05")
    limit.kept(sizes)                       # which classes stay if the smallest have to go
    limit.rule, limit.params                # what verifies it

The risk of a row is 1 / (rows of its class): whoever knows the quasi-identifiers of somebody in the
table (the prosecutor) points at the right row with this chance. Its mean over all rows,
classes / rows, is the share that somebody who links every row gets right (the marketer).

A limit that holds for all classes holds for the larger ones of them, and after classes were
merged. So a search may drop classes from the smallest on, and stop at the first coarsening that
holds.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from tokumei.core.errors import UsageError
from tokumei.core.generalized_cells import equivalence_class_codes
from tokumei.core.messages import Message
from tokumei.tables.data.weighted_rows import count_class_rows, row_counts

ROOM = 1e-9
"""Relative room for rounding: a figure equal to its limit meets it."""

PrefixHolds = Callable[[np.ndarray, tuple[float, ...]], np.ndarray]
"""From class sizes, descending: whether the limit holds for the first 1, 2, … of them."""


@dataclass(frozen=True, eq=False)
class RiskLimitForm:
    """A limit's name (that of its rule, too), the names of its numbers, and where it holds.

    The first number is always a risk that classes of at least its inverse cannot exceed.
    """

    name: str
    numbers: tuple[str, ...]
    holds: PrefixHolds


def _highest_holds(sizes: np.ndarray, numbers: tuple[float, ...]) -> np.ndarray:
    """1 / |class| ≤ t in every class."""
    return np.asarray(sizes * numbers[0] * (1 + ROOM) >= 1)


def _average_holds(sizes: np.ndarray, numbers: tuple[float, ...]) -> np.ndarray:
    """Classes / rows ≤ t."""
    return np.asarray(np.arange(1, len(sizes) + 1) <= np.cumsum(sizes) * numbers[0] * (1 + ROOM))


def _share_holds(sizes: np.ndarray, numbers: tuple[float, ...]) -> np.ndarray:
    """Rows with 1 / |class| > threshold are at most the share of all rows."""
    threshold, share = numbers
    at_risk = np.cumsum(np.where(sizes * threshold * (1 + ROOM) < 1, sizes, 0))
    return np.asarray(at_risk <= np.cumsum(sizes) * share * (1 + ROOM))


RISK_LIMIT_FORMS = {
    form.name: form
    for form in (
        RiskLimitForm("highest-risk", ("risk",), _highest_holds),
        RiskLimitForm("average-risk", ("risk",), _average_holds),
        RiskLimitForm("records-at-risk", ("threshold", "share"), _share_holds),
    )
}


@dataclass(frozen=True)
class RiskLimit:
    """A form with its numbers."""

    form: RiskLimitForm
    numbers: tuple[float, ...]

    def __post_init__(self) -> None:
        lowest = (0 < number < 1 for number in self.numbers[:1])
        shares = (0 <= number < 1 for number in self.numbers[1:])
        if not (all(lowest) and all(shares)):
            raise UsageError(
                "{name}: a risk is a number above 0 and below 1, a share at least 0 and below 1",
                name=self.form.name,
            )

    @property
    def sufficient_k(self) -> int:
        """The k with which it always holds."""
        return math.ceil(1 / (self.numbers[0] * (1 + ROOM)))

    @property
    def rule(self) -> str:
        """The rule that verifies the release."""
        return self.form.name

    @property
    def params(self) -> dict[str, object]:
        """The rule's parameters, but for the columns."""
        return dict(zip(self.form.numbers, self.numbers, strict=True))

    def kept(self, sizes: np.ndarray) -> np.ndarray:
        """Which classes stay: as many as possible, the smallest being dropped first."""
        order = np.argsort(-sizes, kind="stable")
        holding = np.flatnonzero(self.form.holds(sizes[order], self.numbers))
        is_kept = np.zeros(len(sizes), dtype=bool)
        is_kept[order[: int(holding[-1]) + 1 if len(holding) else 0]] = True
        return is_kept


def is_risk_limit(text: str) -> bool:
    """Whether a model is a limit over all classes, and not a condition on sensitive values."""
    return text.partition("=")[0].strip() in RISK_LIMIT_FORMS


def parse_risk_limit(text: str) -> RiskLimit:
    """The limit `name=number`; `records-at-risk=threshold,share` takes two."""
    name, _, rest = text.partition("=")
    form = RISK_LIMIT_FORMS[name.strip()]
    try:
        numbers = tuple(map(float, rest.split(",")))
    except ValueError:
        numbers = ()
    if len(numbers) != len(form.numbers):
        raise UsageError(
            "'{text}' is not a condition; write it like {form}={example}",
            text=text,
            form=form.name,
            example=",".join(["0.1", "0.05"][: len(form.numbers)]),
        )
    return RiskLimit(form, numbers)


def split_models(texts: Sequence[str]) -> tuple[tuple[str, ...], tuple[RiskLimit, ...]]:
    """The conditions on sensitive values, as text, and the limits over all classes."""
    limits = tuple(parse_risk_limit(text) for text in texts if is_risk_limit(text))
    return tuple(text for text in texts if not is_risk_limit(text)), limits


def keep_within_limits(
    limits: Sequence[RiskLimit], sizes: np.ndarray, is_kept: np.ndarray
) -> np.ndarray:
    """Of the classes that are kept so far, those with which all limits hold."""
    for limit in limits:
        is_kept = is_kept.copy()
        is_kept[is_kept] = limit.kept(sizes[is_kept])
    return is_kept


def limits_hold(limits: Sequence[RiskLimit], frame: pl.DataFrame, columns: list[str]) -> bool:
    """Whether all limits hold for all classes of a frame."""
    if not limits:
        return True
    sizes = count_class_rows(equivalence_class_codes(frame, columns), row_counts(frame))
    return bool(keep_within_limits(limits, sizes, sizes > 0).all())


def unreachable_limit_message(limit: RiskLimit, rows: int) -> Message:
    """Says that a table is too small for a limit."""
    return Message(
        "{rule}: a risk of {risk:g} needs {least:,} rows, but there are {rows:,}",
        rule=limit.rule,
        risk=limit.numbers[0],
        least=limit.sufficient_k,
        rows=rows,
    )

"""The order along which the values of a column are cut: their own, a given one, or by frequency."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl

from tokumei.core.cells import canonical
from tokumei.core.errors import FAULTS_SHOWN, Fault, InputError, UsageError
from tokumei.core.text import Text
from tokumei.tables.engines.protocol import Frequencies


def ranks(found: Frequencies, j: int, given: Sequence[Any] | None = None) -> np.ndarray:
    """The place of every code of column j on its line; a missing value stays the first.

    Numbers, dates and enumerations have an order. Other categories take the `given` one, else the
    most frequent value comes first (equally frequent ones by their text): rare values then stand
    together, and the sets that hold them stay small.
    """
    values = found.values[j]
    own = values.dtype.is_numeric() or values.dtype.is_temporal()
    if given is not None:
        if own:
            raise _has_its_own(values.name)
        return _ranked(_places(values, given))
    if own or isinstance(values.dtype, pl.Enum):
        return np.arange(len(values))
    rows = np.bincount(found.codes[:, j], weights=found.counts, minlength=len(values))
    rows[: values.null_count()] = np.inf
    return _ranked(-rows)


def _ranked(keys: np.ndarray) -> np.ndarray:
    order = np.argsort(keys, kind="stable")
    rank = np.empty(len(keys), dtype=np.int64)
    rank[order] = np.arange(len(keys))
    return rank


def _places(values: pl.Series, given: Sequence[Any]) -> np.ndarray:
    """Where each value stands in the given order; −1 for the missing value."""
    texts = canonical(pl.Series([_text(value) for value in given], dtype=pl.String))
    place = {text: number for number, text in enumerate(texts)}
    if len(place) < len(texts):
        twice = sorted({text for text in texts if (texts == text).sum() > 1})
        raise _unfit(values.name, twice, Text("given twice", "二度あります"))
    known = canonical(values.drop_nulls())
    lacking = [text for text in known if text not in place]
    if lacking:
        raise _unfit(values.name, lacking, Text("not in the order given", "順序にありません"))
    return np.array([-1] * values.null_count() + [place[text] for text in known])


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _unfit(column: str, values: Sequence[str], why: Text) -> InputError:
    faults = [
        Fault(
            rule="category-order",
            column=column,
            message=Text(f"'{value}' is {why.en}", f"'{value}' は{why.ja}"),
        )
        for value in values[:FAULTS_SHOWN]
    ]
    return InputError(
        f"column '{column}': the order of its values cannot be used",
        f"列 '{column}': 値の順序が使えません",
        faults=faults,
        total=len(values),
    )


def _has_its_own(column: str) -> UsageError:
    return UsageError(
        f"column '{column}' holds numbers or dates, which have an order of their own; "
        "read it as a category first",
        f"列 '{column}' は数値か日付で、元々順序があります。先にカテゴリとして読んでください",
    )

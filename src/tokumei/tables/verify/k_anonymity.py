"""k-anonymity: every vector of the columns occurs at least k times."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Any, ClassVar, cast

import numpy as np
import polars as pl

from tokumei.core.errors import Fault, UsageError
from tokumei.core.text import Text
from tokumei.core.words import columns_text
from tokumei.tables.data.counted import counts_of
from tokumei.tables.data.table import Table
from tokumei.tables.verify.class_rule import (
    AT_LEAST_2,
    SIZE,
    line_of,
    require_parameter,
    small_classes,
    vector_of,
)
from tokumei.tables.verify.protocol import Rule

_BITS = 62
_WHOLE = (pl.Int8, pl.Int16, pl.Int32, pl.Int64, pl.UInt8, pl.UInt16, pl.UInt32, pl.Date)


@dataclass(frozen=True)
class KAnonymity(Rule):
    """Counts the rows of every distinct vector, as text in the file."""

    name: ClassVar[str] = "k-anonymity"
    title: ClassVar[Text] = Text("k-anonymity", "k-匿名性")
    sentence: ClassVar[Text] = Text(
        "Every combination of the columns occurs at least k times.",
        "列の値のどの組み合わせも k 行以上あります。",
    )

    k: int
    columns: tuple[str, ...]

    def __post_init__(self) -> None:
        require_parameter(self.k >= 2, "k", self.k, AT_LEAST_2)
        if not self.columns:
            raise UsageError(
                "name at least one column to count", "数える列を一つ以上指定してください"
            )

    def words(self) -> Text:
        """The claim with its parameters."""
        columns = columns_text(self.columns)
        return Text(
            f"every combination of {columns.en} occurs at least {self.k} times",
            f"{columns.ja}の組み合わせは、どれも {self.k} 行以上ある",
        )

    def check(self, submission: Table, *, source: Table | None = None) -> list[Fault]:
        """One fault per vector that is too rare, the rarest first."""
        submission.schema.require(self.columns)
        frame = submission.frame
        if counts_of(frame) is None and _rarest(frame.select(self.columns)) >= self.k:
            return []
        return self.faults(small_classes(frame, self.columns, self.k))

    def faults(self, small: pl.DataFrame) -> list[Fault]:
        """One for each of some small classes."""
        return [self._fault(row) for row in small.iter_rows(named=True)]

    def _fault(self, row: dict[str, Any]) -> Fault:
        vector, line = vector_of(row, self.columns), line_of(row)
        place = Text(f", first on line {line}", f" (最初は {line} 行目)") if line else Text("", "")
        return Fault(
            rule=self.name,
            line=line,
            message=Text(
                f"only {row[SIZE]} row(s) have ({vector}){place.en}; k = {self.k} needed",
                f"({vector}) は {row[SIZE]} 行しかありません{place.ja}。k = {self.k} が必要です",
            ),
        )


def _rarest(frame: pl.DataFrame) -> float:
    """How many rows the rarest vector has."""
    vectors = _packed(frame)
    if vectors.width == 1:
        rarest = vectors.to_series().unique_counts().min()
    else:
        rarest = vectors.group_by(vectors.columns).len("rows")["rows"].min()
    return inf if rarest is None else cast("int", rarest)


def _packed(frame: pl.DataFrame) -> pl.DataFrame:
    """The same vectors in fewer columns: codes share a number as long as its bits last."""
    packed: list[Any] = []
    room = 0
    for series in frame:
        found = _coded(series)
        if found is None:
            packed.append(series)
            room = 0
            continue
        codes, most = found
        bits = max(most.bit_length(), 1)
        if bits > room:
            packed.append(np.zeros(len(codes), dtype=np.int64))
            room = _BITS
        packed[-1] <<= bits
        packed[-1] += codes
        room -= bits
    return pl.DataFrame([pl.Series(str(j), column) for j, column in enumerate(packed)])


def _coded(series: pl.Series) -> tuple[np.ndarray, int] | None:
    """Whole numbers from 0 for the values of the column, and the largest; None: it is too large."""
    if series.dtype == pl.String:
        series = series.cast(pl.Categorical(pl.Categories.random()))
    if not (isinstance(series.dtype, pl.Categorical) or series.dtype in _WHOLE):
        return None
    numbers = series.to_physical()
    low, high = (cast("int", end or 0) for end in (numbers.min(), numbers.max()))
    if high - low >= 2**_BITS - 1:
        return None
    missing = int(numbers.null_count() > 0)
    if low or missing:
        numbers = (numbers.cast(pl.Int64) - low + missing).fill_null(0)
    return numbers.to_numpy(), high - low + missing

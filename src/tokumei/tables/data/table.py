"""A table (a Polars frame with a schema) and its release.

    table = Table.of(pandas_or_polars_or_arrow_frame, qi=["age", "sex"], sa=["income"])

Of a release, `public` may be handed out; `link` (released row → original row) is the secret part
and never appears in a repr, a log, a message or a report.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import polars as pl

from tokumei.core.errors import MAX_SHOWN_VIOLATIONS, InputError
from tokumei.core.generalized_cells import LineOfRow, cell_bounds, cell_violation
from tokumei.core.message_lines import locate_problem
from tokumei.core.messages import Message
from tokumei.core.provenance import Claim, Provenance
from tokumei.core.scenario import Scenario, describe_scenario
from tokumei.core.verification import VerifiableRelease
from tokumei.files.column_types import decode_categories
from tokumei.files.frame_conversion import ArrowFrame, to_polars
from tokumei.files.frame_roundtrip import NativeFrameType, to_pandas
from tokumei.tables.data.column_kinds import cast_to_kinds, schema_for
from tokumei.tables.data.column_report import ColumnReport
from tokumei.tables.data.schema import Schema
from tokumei.tables.data.simple_frame import require_simple_frame

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

AnyTable: TypeAlias = "Table | ArrowFrame"
"""A table in memory, with its roles or without."""
AnyRelease: TypeAlias = "Release | Table | ArrowFrame"
"""A release made here, or the rows of one made anywhere."""
NOT_FINITE = Message("'{cell}' is not a finite number")


@dataclass(frozen=True, eq=False)
class Table:
    """Rows and their schema. Never changed in place; methods return new tables.

    `spelled`: cells of some columns as they stand in the file that was read, where their numbers
    would be written otherwise (`1.50`); a table with other rows or cells has none.
    """

    frame: pl.DataFrame
    schema: Schema
    spelled: Mapping[str, pl.Series] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        if self.frame.columns != self.schema.names:
            raise ValueError("the schema does not describe this frame")

    @classmethod
    def of(
        cls,
        frame: object,
        *,
        qi: str | Sequence[str] | None = None,
        sa: str | Sequence[str] | None = None,
        ids: str | Sequence[str] | None = None,
        kinds: Mapping[str, str] | None = None,
    ) -> Table:
        """From a pandas, Polars or Arrow frame (or a Table), with roles given or inferred.

        `kinds` reads columns as another kind: `{"industry": "category"}` for numeric codes.
        """
        if isinstance(frame, Table) and not kinds:
            return replace(frame, schema=frame.schema.with_roles(qi=qi, sa=sa, ids=ids))
        polars = frame.frame if isinstance(frame, Table) else to_polars(frame)
        polars = cast_to_kinds(require_simple_frame(polars), kinds or {})
        return cls(polars, schema_for(polars, qi=qi, sa=sa, ids=ids))

    @property
    def rows(self) -> int:
        """How many rows."""
        return self.frame.height

    def _repr_html_(self) -> str:
        from tokumei.tables.data.notebook import table_html

        return table_html(self)

    def take(self, rows: np.ndarray) -> Table:
        """The given rows, in the given order."""
        # Out of many chunks, as a file is read, this would be several times slower.
        return Table(self.frame.rechunk()[rows], self.schema)

    def with_frame(self, frame: pl.DataFrame) -> Table:
        """The same meaning with other cells."""
        return Table(frame, self.schema)

    def drop(self, names: Iterable[str]) -> Table:
        """Without the named columns."""
        keep = [name for name in self.schema.names if name not in set(names)]
        spelled = {name: cells for name, cells in self.spelled.items() if name in keep}
        return Table(self.frame.select(keep), self.schema.keep(keep), spelled)

    def with_text(self) -> Table:
        """The same cells with categories and enumerations as plain text."""
        return replace(self, frame=decode_categories(self.frame))

    def numbers(self, columns: Sequence[str]) -> np.ndarray:
        """A float matrix of number columns; a generalized cell counts as its middle."""
        low, high = self.ranges(columns)
        if high is low:
            return low
        with np.errstate(invalid="ignore"):  # a suppressed cell, from −∞ to ∞, has no middle
            return np.where(low == high, low, (low + high) / 2)

    def ranges(self, columns: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
        """Lowest and highest possible value of each cell (one shared array if all are plain)."""
        series = [self.frame[name] for name in columns]
        if all(s.dtype.is_numeric() for s in series):
            plain = np.empty((self.rows, len(series)))
            for j, s in enumerate(series):
                plain[:, j] = s.cast(pl.Float64).to_numpy()
            return plain, plain
        low, high = np.empty((2, self.rows, len(series)))
        for j, s in enumerate(series):
            low[:, j], high[:, j] = cell_bounds(s)
        return low, high


def require_numbers(
    table: Table,
    columns: Sequence[str],
    *,
    where: str = "",
    line_of: LineOfRow | None = None,
    general: bool = False,
    gaps: bool = False,
    texts: bool = False,
) -> None:
    """Fail, listing places and values, unless every cell of `columns` is a finite number.

    With `gaps` cells may be missing; with `texts` they may be texts as well, but what is a number
    must be finite.

    `first_row_line` leads from a row to its line in the file `where`; without it rows are named.
    With `general` a generalized cell is as good as a number.
    """
    bad = {name: non_numeric_rows(table.frame[name], general=general) for name in columns}
    if gaps:
        filled = {name: table.frame[name].is_not_null().to_numpy() for name in bad}
        bad = {name: rows[filled[name][rows]] for name, rows in bad.items()}
    if texts:
        bad = {name: _infinite_rows(table.frame[name]) for name in columns}
    faults = [
        cell_violation(table.frame[name], int(row), line_of, rule="number", wrong=NOT_FINITE)
        for name, rows in bad.items()
        for row in rows[:MAX_SHOWN_VIOLATIONS]
    ]
    if faults:
        raise InputError(
            locate_problem(Message("sensitive columns must hold finite numbers"), where),
            faults=faults,
            total=sum(len(rows) for rows in bad.values()),
        )


def _infinite_rows(series: pl.Series) -> np.ndarray:
    """Infinite numbers; texts that say so only where all others are numbers."""
    if series.dtype.is_integer() or series.dtype.is_temporal():
        return np.empty(0, dtype=np.int64)
    texts = series if series.dtype.is_float() else series.cast(pl.String)
    values = texts.cast(pl.Float64, strict=False)
    infinite = np.flatnonzero(np.isinf(values.to_numpy()))
    has_other_texts = len(infinite) and values.null_count() > series.null_count()
    return infinite[:0] if has_other_texts else infinite


def non_numeric_rows(series: pl.Series, *, general: bool = True) -> np.ndarray:
    """The rows whose cell is no finite number, nor a range of them if `general`."""
    if series.dtype.is_numeric():
        return np.flatnonzero(~np.isfinite(_to_floats(series)))
    good = np.isfinite(_to_floats(series.cast(pl.String)))
    if general and not good.all():
        good |= ~np.isnan(cell_bounds(series)[0])
    return np.flatnonzero(~good)


def _to_floats(series: pl.Series) -> np.ndarray:
    """The cells as numbers; NaN where there is none."""
    return series.cast(pl.Float64, strict=False).to_numpy()


@dataclass(frozen=True, eq=False)
class Release(VerifiableRelease):
    """An anonymized table with its secret link, its claims and its provenance.

    `spelled`: the columns that leave as they came, letter by letter.
    """

    public: Table
    link: np.ndarray = field(repr=False)
    claims: tuple[Claim, ...] = ()
    provenance: Provenance = field(default_factory=Provenance)
    spelled: Mapping[str, pl.Series] = field(default_factory=dict, repr=False)
    account: ColumnReport | None = None
    """What became of every column; None: nobody looked."""
    native: NativeFrameType = field(default_factory=NativeFrameType, repr=False)
    """What the source was: the public rows can be had in the same form."""
    notes: tuple[Message, ...] = ()
    """How cells of the source's frame were understood, rule by rule."""
    separator: str = ","
    """What stands between the cells of the source's file, and of the release's."""
    scenario: Scenario | None = None
    """Under which it will be judged; None: nobody decided."""

    def __post_init__(self) -> None:
        if len(self.link) != self.public.rows:
            raise ValueError("one original row number per released row is needed")

    def __repr__(self) -> str:
        rules = ", ".join(claim.rule for claim in self.claims) or "none"
        return f"Release(rows={self.public.rows}, claims={rules}, link=<secret>)"

    @property
    def written(self) -> Table:
        """The public rows with the cells as they are written."""
        frame = self.public.frame.with_columns(**self.spelled)
        return self.public.with_frame(frame) if self.spelled else self.public

    @property
    def frame(self) -> Any:
        """The public rows as a frame of the library that the source's frame was of."""
        return self.native.give(self.public.frame)

    def to_pandas(self) -> pd.DataFrame:
        """The public rows as pandas; types of columns are the source's where the cells allow."""
        return to_pandas(self.public.frame, self.native.types, self.native.names)

    def to_polars(self) -> pl.DataFrame:
        """The public rows as Polars."""
        return decode_categories(self.public.frame).clone()

    def to_arrow(self) -> pa.Table:
        """The public rows as an Arrow table."""
        return decode_categories(self.public.frame).to_arrow()

    def _repr_html_(self) -> str:
        from tokumei.tables.data.notebook import release_html

        return release_html(self)

    def manifest(self) -> dict[str, object]:
        """The public description: claims, methods and versions; no secret, no raw value."""
        return {
            "rows": self.public.rows,
            "columns": {c.name: c.role.value for c in self.public.schema.columns},
            "claims": [claim.as_json() for claim in self.claims],
            **({} if self.account is None else self.account.as_json()),
            **describe_scenario(self.scenario, self.public.schema.names),
            "provenance": self.provenance.as_json(public=True),
        }

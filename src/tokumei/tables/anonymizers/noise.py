"""B: adds noise to the sensitive columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
import polars as pl

from tokumei.core.described import format_column_names
from tokumei.core.errors import InputError, UsageError
from tokumei.core.fields import method_parameter
from tokumei.core.generalized_cells import LineOfRow
from tokumei.core.messages import Message, join_messages
from tokumei.core.randomness import Randomness
from tokumei.tables.anonymizers.protocol import Step, TableMethod, require_columns
from tokumei.tables.data.table import Table, non_numeric_rows, require_numbers

Distribution = Literal["laplace", "normal", "uniform"]
LARGEST_INTEGER = 9e18

_DISTRIBUTION_NAMES = {
    "laplace": Message("Laplace", context="a distribution"),
    "normal": Message("normal", context="a distribution"),
    "uniform": Message("uniform", context="a distribution"),
}


@dataclass(frozen=True)
class Noise(TableMethod):
    """y = x + e with E e = 0 and sd(e) = `scale` × sd(x), or `scale` itself when absolute.

    Whole-number columns stay whole and non-negative columns stay non-negative (cut at 0); gaps stay
    gaps.
    Does not protect outliers: a value far from all others stays far from all others.
    """

    name: ClassVar[str] = "noise"
    title: ClassVar[Message] = Message("Add noise")
    sentence: ClassVar[Message] = Message(
        "Adds random noise to sensitive numbers; outliers stay outliers."
    )
    leaves_open: ClassVar[Message] = Message(
        "Quasi-identifiers stay as they are, outliers stay outliers, and the nearest value is "
        "often the right one: noise guarantees nothing."
    )

    scale: float = 0.1
    unit: Literal["sd", "absolute"] = "sd"
    distribution: Distribution = "laplace"
    columns: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.scale >= 0 or not np.isfinite(self.scale):
            raise UsageError(
                "noise: scale must be a finite number of at least 0, not {scale}", scale=self.scale
            )

    def done(self) -> Message:
        """The size of the noise, its distribution and where it is added."""
        return Message(
            "Add {distribution} noise of {size:number} to {columns}"
            if self.unit == "absolute"
            else "Add {distribution} noise of {size:percent} of a standard deviation to {columns}",
            distribution=_DISTRIBUTION_NAMES[self.distribution],
            size=self.scale,
            columns=format_column_names(self.columns, Message("every sensitive column")),
        )

    def require(self, table: Table, line_of: LineOfRow | None = None) -> None:
        """Fail unless the chosen columns are there and hold numbers; gaps are well."""
        table.schema.require(self.columns, where="noise")
        names = self.columns or tuple(table.schema.sa)
        require_columns(self.name, names, Message("sensitive (SA)"))
        _require_no_texts(table, names)
        require_numbers(table, names, where="noise", line_of=line_of, gaps=True)

    def change(self, step: Step, *, rng: Randomness) -> Step:
        """Add independent noise to every chosen column."""
        table = step.table
        self.require(table)
        names = self.columns or tuple(table.schema.sa)
        noisy = [self._add_noise(table.frame[name], rng.child(name)) for name in names]
        return Step(table.with_frame(table.frame.with_columns(noisy)), step.link, step.claims)

    def _add_noise(self, series: pl.Series, rng: Randomness) -> pl.Series:
        values, is_present = series.cast(pl.Float64).to_numpy(), series.is_not_null().to_numpy()
        known_values = values[is_present]
        with np.errstate(over="ignore", invalid="ignore"):  # told below
            spread = float(known_values.std()) if self.unit == "sd" and len(known_values) else 1.0
        sd = self.scale * spread
        if not np.isfinite(4 * sd):  # wider than any draw's range
            raise _too_large_error(series.name)
        result = values + draw_noise(self.distribution, sd, len(values), rng.generator)
        result = np.where(is_present, result, 0.0)
        if known_values.min(initial=0.0) >= 0:
            result = np.maximum(result, 0.0)
        if not np.isfinite(result).all():
            raise _too_large_error(series.name)
        if series.dtype.is_integer():
            if np.abs(result).max(initial=0.0) > LARGEST_INTEGER:
                raise _too_large_error(series.name)
            return _restore_gaps(pl.Series(series.name, np.rint(result)).cast(pl.Int64), is_present)
        dtype = series.dtype
        if isinstance(dtype, pl.Decimal):  # as many digits before the point as there may be
            dtype = pl.Decimal(38, dtype.scale)
        noisy = pl.Series(series.name, result).cast(dtype, strict=False)
        if noisy.null_count():
            raise _too_large_error(series.name)
        return _restore_gaps(noisy, is_present)


def _require_no_texts(table: Table, names: Sequence[str]) -> None:
    """Fail if columns hold text rather than numbers: what else protects them is said."""
    cells = [table.frame[name].drop_nulls() for name in names]
    texts = [
        column_cells.name
        for column_cells in cells
        if len(non_numeric_rows(column_cells)) > len(column_cells) / 2
    ]
    if texts:
        raise InputError(
            "noise: {columns}: text, not finite numbers; use swap, microaggregate or generalize, "
            "or name the columns of numbers ({columns_field})",
            columns=join_messages(texts),
            columns_field=method_parameter("columns", ["a", "b"]),
        )


def _restore_gaps(series: pl.Series, is_present: np.ndarray) -> pl.Series:
    if is_present.all():
        return series
    return pl.select(pl.when(pl.Series(is_present)).then(series)).to_series().alias(series.name)


def _too_large_error(name: str) -> UsageError:
    return UsageError("noise: the values of '{name}' would become too large", name=name)


def draw_noise(
    distribution: Distribution, sd: float, n: int, generator: np.random.Generator
) -> np.ndarray:
    """n draws with mean 0 and standard deviation `sd`."""
    if distribution == "laplace":
        return generator.laplace(0.0, sd / np.sqrt(2.0), n)
    if distribution == "uniform":
        half = sd * float(np.sqrt(3.0))
        return generator.uniform(-half, half, n)
    return generator.normal(0.0, sd, n)

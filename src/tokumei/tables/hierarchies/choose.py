"""Chooses the hierarchies of columns as a recipe or command line names them, or proposes them.

    choose_hierarchies("hierarchy_{column}.csv", frame, ["age", "sex"])
    choose_hierarchies({"job": "occupation", "age": "age.csv", "zip": "auto"}, frame, columns)
    write_hierarchy(propose_hierarchy(series), "age.csv")       # to be edited and read back

For each column: a file, the name of a built-in hierarchy, or `auto` for a proposal from its values.
There, dates get months to decades; numbers round bands (of equal width, or of about equally many
rows if they crowd together); codes their prefixes; few numbers and other values are merged with
their neighbours.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from pathlib import Path

import numpy as np
import polars as pl

from tokumei.core.errors import UnknownNameError, UsageError
from tokumei.core.messages import Message, join_messages
from tokumei.tables.data.schema import COLUMN_NOUN
from tokumei.tables.data.weighted_rows import row_count_column
from tokumei.tables.hierarchies.builtin import BUILTIN, LabelLanguage, builtin_hierarchy
from tokumei.tables.hierarchies.column_values import ColumnValues, build_hierarchy
from tokumei.tables.hierarchies.dates import date_hierarchy, readable_as_dates
from tokumei.tables.hierarchies.files import read_hierarchies, read_hierarchy
from tokumei.tables.hierarchies.hierarchy import Hierarchy
from tokumei.tables.hierarchies.interval_bands import BandEdges, NumericValues, band_labels
from tokumei.tables.hierarchies.intervals import quantile_cuts
from tokumei.tables.hierarchies.text_hierarchies import (
    FANOUT,
    merge_hierarchy,
    prefix_labels,
    prefix_lengths,
)
from tokumei.tables.hierarchies.typed_hierarchies import TYPED_HIERARCHIES, build_typed_hierarchy

AUTO = "auto"


def choose_hierarchies(
    sources: str | Mapping[str, str], frame: pl.DataFrame, columns: Sequence[str]
) -> dict[str, Hierarchy]:
    """The hierarchy of each column, in their order; missing cells have a leaf in all of them."""
    return add_missing_leaves(_resolve_hierarchies(sources, frame, columns), frame)


def add_missing_leaves(
    hierarchies: Mapping[str, Hierarchy], frame: pl.DataFrame
) -> dict[str, Hierarchy]:
    """The hierarchies with a leaf for missing cells where there are any."""
    return {
        name: hierarchy.with_missing() if frame[name].null_count() else hierarchy
        for name, hierarchy in hierarchies.items()
    }


def _resolve_hierarchies(
    sources: str | Mapping[str, str], frame: pl.DataFrame, columns: Sequence[str]
) -> dict[str, Hierarchy]:
    row_counts = row_count_column(frame)
    if isinstance(sources, str):
        if sources == AUTO:
            return {name: propose_hierarchy(frame[name], row_counts) for name in columns}
        return read_hierarchies(sources, columns)
    for name in sources:
        if name not in frame.columns:
            raise UnknownNameError(COLUMN_NOUN, name, frame.columns, where="hierarchies")
    lacking = [name for name in columns if name not in sources]
    if lacking:
        raise UsageError(
            "no hierarchy for {columns}; give a file, a built-in name or '{auto}'",
            columns=join_messages(lacking),
            auto=AUTO,
        )
    return {name: _resolve_hierarchy(sources[name], frame[name], row_counts) for name in columns}


def _resolve_hierarchy(source: str, series: pl.Series, row_counts: pl.Series | None) -> Hierarchy:
    if source == AUTO:
        return propose_hierarchy(series, row_counts)
    if source in TYPED_HIERARCHIES:
        return build_typed_hierarchy(source, series)
    if source in BUILTIN:
        return builtin_hierarchy(source, column=series.name, labels=_label_language(source, series))
    if not Path(source).suffix:
        raise UnknownNameError(Message("hierarchy"), source, [*BUILTIN, *TYPED_HIERARCHIES, AUTO])
    return read_hierarchy(source, series.name)


def _label_language(name: str, series: pl.Series) -> LabelLanguage:
    """English if the column has one of the English names and none of the Japanese ones."""
    if BUILTIN[name].reach is not None:
        return "ja"
    values = set(series.cast(pl.String).unique())
    english, japanese = (
        values & set(builtin_hierarchy(name, labels=lang).leaves) for lang in ("en", "ja")
    )
    return "en" if english and not japanese else "ja"


FEW_VALUES = 10
TARGET_BANDS = 20
CROWDED_SHARE = 0.5
QUANTILE_GROUPS = (16, 8, 4, 2)


def propose_hierarchy(series: pl.Series, rows: pl.Series | None = None) -> Hierarchy:
    """A hierarchy that suits the values of the column; levels that change nothing are left out.

    `rows`: how many each cell stands for, if not for one.
    """
    values = ColumnValues.of(series, rows)
    numeric = values.values.dtype.is_numeric()
    if numeric and len(values) > FEW_VALUES:
        return build_hierarchy(
            values, _drop_useless_levels(values.text, _round_bands(NumericValues.of(values)))
        )
    if not numeric and readable_as_dates(values):
        dates_hierarchy = date_hierarchy(series)
        levels = [
            dates_hierarchy.labels(level)[: len(values)]
            for level in range(1, dates_hierarchy.height)
        ]
        return build_hierarchy(values, _drop_useless_levels(values.text, levels))
    if not numeric and (lengths := prefix_lengths(values.text)):
        return build_hierarchy(values, [prefix_labels(values.text, length) for length in lengths])
    return merge_hierarchy(series, fanout=FANOUT, rows=rows)


def _drop_useless_levels(text: pl.Series, levels: list[pl.Series]) -> list[pl.Series]:
    """The levels that merge something and do not merge all."""
    useful_levels: list[pl.Series] = []
    size = len(text)
    for labels in levels:
        nodes = labels.n_unique()
        if 1 < nodes < size:
            useful_levels.append(labels)
            size = nodes
    return useful_levels


def _round_bands(numbers: NumericValues) -> list[pl.Series]:
    levels = [band_labels(numbers, edges) for edges in _equal_width_edges(numbers)]
    counts = numbers.source.counts
    if (
        levels
        and np.bincount(levels[0].rank("dense").to_numpy(), counts).max()
        > CROWDED_SHARE * counts.sum()
    ):
        levels = [band_labels(numbers, edges) for edges in _rounded_quantile_edges(numbers)]
    return levels


def _equal_width_edges(numbers: NumericValues) -> list[BandEdges]:
    """Bands of 1, 2 or 5 times a power of ten, each a multiple of the one before."""
    spread = numbers.high - numbers.low
    width = _round_up(spread / TARGET_BANDS)
    if numbers.whole:
        width = max(width, Decimal(2))
    levels: list[BandEdges] = []
    bands = TARGET_BANDS
    # Two bands that meet at 0 never become one, however wide they are.
    while bands > 2:
        first, last = (_floor_division(end, width) for end in (numbers.low, numbers.high))
        levels.append(BandEdges(tuple(width * multiple for multiple in range(first, last + 2))))
        bands = last + 1 - first
        width *= 5 if width.normalize().as_tuple().digits == (2,) else 2
    return levels


def _rounded_quantile_edges(numbers: NumericValues) -> list[BandEdges]:
    """Quantiles whose distances from a round lowest end have two digits; a round highest end."""
    low, *inner, high = quantile_cuts(numbers, QUANTILE_GROUPS[0])
    step = _round_up((high - low) / 1000)
    base, end = step * _floor_division(low, step), step * (_floor_division(high, step) + 1)
    distances = [cut - base for cut in inner]
    rounded = [base + (round(gap, 1 - gap.adjusted()) if gap else gap) for gap in distances]
    levels = []
    for groups in QUANTILE_GROUPS:
        every = QUANTILE_GROUPS[0] // groups
        cuts = {cut for cut in rounded[every - 1 :: every] if base < cut < end}
        levels.append(BandEdges((base, *sorted(cuts), end)))
    return levels


def _floor_division(number: Decimal, width: Decimal) -> int:
    return int((number / width).to_integral_value(rounding="ROUND_FLOOR"))


def _round_up(number: Decimal) -> Decimal:
    """The next 1, 2 or 5 times a power of ten."""
    unit = Decimal(1).scaleb(number.adjusted())
    return next(unit * step for step in (1, 2, 5, 10) if unit * step >= number)

"""The hierarchies of some columns, as a recipe or command line names them, or proposed.

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
from tokumei.core.text import Language, Text
from tokumei.tables.data.counted import counts_of
from tokumei.tables.data.schema import COLUMN
from tokumei.tables.hierarchies.builtin import BUILTIN, builtin_hierarchy
from tokumei.tables.hierarchies.dates import date_hierarchy, readable_as_dates
from tokumei.tables.hierarchies.files import read_hierarchies, read_hierarchy
from tokumei.tables.hierarchies.hierarchy import Hierarchy
from tokumei.tables.hierarchies.intervals import Edges, Numbers, band_labels, quantile_cuts
from tokumei.tables.hierarchies.known import KNOWN, known_hierarchy
from tokumei.tables.hierarchies.merging import FANOUT, code_lengths, merge_hierarchy, prefixes
from tokumei.tables.hierarchies.values import Values, hierarchy_of

AUTO = "auto"


def choose_hierarchies(
    given: str | Mapping[str, str], frame: pl.DataFrame, columns: Sequence[str]
) -> dict[str, Hierarchy]:
    """The hierarchy of each column, in their order; missing cells have a leaf in all of them."""
    return with_missing(_chosen(given, frame, columns), frame)


def with_missing(found: Mapping[str, Hierarchy], frame: pl.DataFrame) -> dict[str, Hierarchy]:
    """The hierarchies with a leaf for missing cells where there are any."""
    return {
        name: one.with_missing() if frame[name].null_count() else one for name, one in found.items()
    }


def _chosen(
    given: str | Mapping[str, str], frame: pl.DataFrame, columns: Sequence[str]
) -> dict[str, Hierarchy]:
    rows = counts_of(frame)
    if isinstance(given, str):
        if given == AUTO:
            return {name: propose_hierarchy(frame[name], rows) for name in columns}
        return read_hierarchies(given, columns)
    for name in given:
        if name not in frame.columns:
            raise UnknownNameError(COLUMN, name, frame.columns, where="hierarchies")
    lacking = [name for name in columns if name not in given]
    if lacking:
        listed = ", ".join(lacking)
        raise UsageError(
            f"no hierarchy for {listed}; give a file, a built-in name or '{AUTO}'",
            f"{listed} の階層がありません。ファイル、組み込みの名前か '{AUTO}' を指定します",
        )
    return {name: _one(given[name], frame[name], rows) for name in columns}


def _one(given: str, series: pl.Series, rows: pl.Series | None) -> Hierarchy:
    if given == AUTO:
        return propose_hierarchy(series, rows)
    if given in KNOWN:
        return known_hierarchy(given, series)
    if given in BUILTIN:
        return builtin_hierarchy(given, column=series.name, labels=_language(given, series))
    if not Path(given).suffix:
        raise UnknownNameError(Text("hierarchy", "階層"), given, [*BUILTIN, *KNOWN, AUTO])
    return read_hierarchy(given, series.name)


def _language(name: str, series: pl.Series) -> Language:
    """English if the column has one of the English names and none of the Japanese ones."""
    if BUILTIN[name].reach is not None:
        return "ja"
    values = set(series.cast(pl.String).unique())
    english, japanese = (
        values & set(builtin_hierarchy(name, labels=lang).leaves) for lang in ("en", "ja")
    )
    return "en" if english and not japanese else "ja"


FEW = 10
BANDS = 20
CROWDED = 0.5
GROUPS = (16, 8, 4, 2)


def propose_hierarchy(series: pl.Series, rows: pl.Series | None = None) -> Hierarchy:
    """A hierarchy that suits the values of the column; levels that change nothing are left out.

    `rows`: how many each cell stands for, if not for one.
    """
    values = Values.of(series, rows)
    numeric = values.values.dtype.is_numeric()
    if numeric and len(values) > FEW:
        return hierarchy_of(values, _telling(values.text, _round_bands(Numbers.of(values))))
    if not numeric and readable_as_dates(values):
        made = date_hierarchy(series)
        levels = [made.labels(level)[: len(values)] for level in range(1, made.height)]
        return hierarchy_of(values, _telling(values.text, levels))
    if not numeric and (lengths := code_lengths(values.text)):
        return hierarchy_of(values, [prefixes(values.text, length) for length in lengths])
    return merge_hierarchy(series, fanout=FANOUT, rows=rows)


def _telling(text: pl.Series, levels: list[pl.Series]) -> list[pl.Series]:
    """The levels that merge something and do not merge all."""
    kept: list[pl.Series] = []
    size = len(text)
    for labels in levels:
        nodes = labels.n_unique()
        if 1 < nodes < size:
            kept.append(labels)
            size = nodes
    return kept


def _round_bands(numbers: Numbers) -> list[pl.Series]:
    levels = [band_labels(numbers, edges) for edges in _equal_widths(numbers)]
    counts = numbers.source.counts
    if (
        levels
        and np.bincount(levels[0].rank("dense").to_numpy(), counts).max() > CROWDED * counts.sum()
    ):
        levels = [band_labels(numbers, edges) for edges in _rounded_quantiles(numbers)]
    return levels


def _equal_widths(numbers: Numbers) -> list[Edges]:
    """Bands of 1, 2 or 5 times a power of ten, each a multiple of the one before."""
    spread = numbers.high - numbers.low
    width = _round_up(spread / BANDS)
    if numbers.whole:
        width = max(width, Decimal(2))
    found: list[Edges] = []
    bands = BANDS
    # Two bands that meet at 0 never become one, however wide they are.
    while bands > 2:
        first, last = (_floor(end, width) for end in (numbers.low, numbers.high))
        found.append(Edges(tuple(width * place for place in range(first, last + 2))))
        bands = last + 1 - first
        width *= 5 if width.normalize().as_tuple().digits == (2,) else 2
    return found


def _rounded_quantiles(numbers: Numbers) -> list[Edges]:
    """Quantiles whose distances from a round lowest end have two digits; a round highest end."""
    low, *inner, high = quantile_cuts(numbers, GROUPS[0])
    step = _round_up((high - low) / 1000)
    base, end = step * _floor(low, step), step * (_floor(high, step) + 1)
    apart = [cut - base for cut in inner]
    rounded = [base + (round(gap, 1 - gap.adjusted()) if gap else gap) for gap in apart]
    levels = []
    for groups in GROUPS:
        every = GROUPS[0] // groups
        cuts = {cut for cut in rounded[every - 1 :: every] if base < cut < end}
        levels.append(Edges((base, *sorted(cuts), end)))
    return levels


def _floor(number: Decimal, width: Decimal) -> int:
    return int((number / width).to_integral_value(rounding="ROUND_FLOOR"))


def _round_up(number: Decimal) -> Decimal:
    """The next 1, 2 or 5 times a power of ten."""
    unit = Decimal(1).scaleb(number.adjusted())
    return next(unit * step for step in (1, 2, 5, 10) if unit * step >= number)

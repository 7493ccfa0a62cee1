"""The hierarchies of some columns from plain data, as a recipe or command line gives them.

    choose_hierarchies("hierarchy_{column}.csv", frame, ["age", "sex"])
    choose_hierarchies({"job": "occupation", "age": "age.csv", "zip": "auto"}, frame, columns)

For each column: a file, the name of a built-in hierarchy, or `auto` for a proposal from its values.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import polars as pl

from tokumei.core.errors import UnknownNameError, UsageError
from tokumei.core.text import Language, Text
from tokumei.tables.data.counted import counts_of
from tokumei.tables.data.schema import COLUMN
from tokumei.tables.hierarchies.builtin import BUILTIN, builtin_hierarchy
from tokumei.tables.hierarchies.files import read_hierarchies, read_hierarchy
from tokumei.tables.hierarchies.hierarchy import Hierarchy
from tokumei.tables.hierarchies.propose import propose_hierarchy

AUTO = "auto"


def choose_hierarchies(
    given: str | Mapping[str, str], frame: pl.DataFrame, columns: Sequence[str]
) -> dict[str, Hierarchy]:
    """The hierarchy of each column, in their order."""
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
    if given in BUILTIN:
        return builtin_hierarchy(given, column=series.name, labels=_language(given, series))
    if not Path(given).suffix:
        raise UnknownNameError(Text("hierarchy", "階層"), given, [*BUILTIN, AUTO])
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

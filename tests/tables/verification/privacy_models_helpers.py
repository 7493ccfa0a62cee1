"""What the tests split from test_privacy_models share."""

from __future__ import annotations

from typing import Any

import polars as pl

from support.privacy_reference import PARENTS, Model, SmallTable, random_tables
from tokumei.tables.data.table import Table
from tokumei.tables.verification.l_diversity import (
    EntropyLDiversity,
    LDiversity,
    RecursiveLDiversity,
)
from tokumei.tables.verification.t_closeness import TCloseness
from tokumei.tables.verification.value_frequency import AlphaK, BetaLikeness, DeltaDisclosure

TABLES = random_tables(300)


QI = ("a", "b")


TREE = {f"v{value}": (parent, "*") for value, parent in enumerate(PARENTS)}


ORDER = tuple(TREE)


def table(small: SmallTable) -> Table:
    rows = [(a, b, f"v{value}") for a, b, value in small.rows]
    schema = {"a": pl.String, "b": pl.Int64, "s": pl.String}
    return Table.of(pl.DataFrame(rows, schema=schema, orient="row"), qi=QI, sa=["s"])


def rule(model: Model) -> Any:
    limit, columns = model.limit, {"columns": QI, "sensitive": ("s",)}
    closeness = {"t": {}, "t-ordered": {"order": ORDER}, "t-hierarchical": {"hierarchy": TREE}}
    if model.name in closeness:
        distance = {"t": "equal"}.get(model.name, model.name.removeprefix("t-"))
        return TCloseness(limit, distance=distance, **columns, **closeness[model.name])
    return {
        "l": lambda: LDiversity(int(limit), **columns),
        "entropy-l": lambda: EntropyLDiversity(limit, **columns),
        "recursive": lambda: RecursiveLDiversity(limit, *model.extra, **columns),
        "alpha": lambda: AlphaK(limit, **columns),
        "beta": lambda: BetaLikeness(limit, **columns),
        "enhanced-beta": lambda: BetaLikeness(limit, enhanced=True, **columns),
        "delta": lambda: DeltaDisclosure(limit, **columns),
    }[model.name]()


def people(*classes: tuple[str, str], **more: list[Any]) -> Table:
    """A table of classes (town, values as letters)."""
    rows = [(town, letter) for town, letters in classes for letter in letters]
    frame = pl.DataFrame(rows, schema=["town", "s"], orient="row")
    return Table.of(frame.with_columns(**{k: pl.Series(v) for k, v in more.items()}), qi=["town"])


ONE = {"columns": ("town",), "sensitive": ("s",)}

"""The customers of a history (M): id, sex, birth decade, country."""

from __future__ import annotations

from dataclasses import dataclass, field

import polars as pl

MASTER_COLUMNS = ("customer", "sex", "birth", "country")


@dataclass(frozen=True, eq=False)
class Master:
    """One row per customer, text cells, in the file's order; other columns are kept."""

    frame: pl.DataFrame = field(repr=False)

    @property
    def customers(self) -> pl.Series:
        """The identifiers, in the file's order."""
        return self.frame["customer"]

    def __repr__(self) -> str:
        return f"Master(customers={self.frame.height})"

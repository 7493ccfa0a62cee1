"""What the data custodian consented to, and what a release withholds: the terms of the gate.

A release carries its terms, so that whoever gives files their names can check every cell against
them. They are never written anywhere.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

import polars as pl

from tokumei.core.reader_equality import as_read


@dataclass(frozen=True)
class TableLayout:
    """How the rows of a public file are written: what its reader has to know."""

    sep: str = ","
    encoding: str = "utf-8"
    header: bool = True
    quotes: bool = True
    names: tuple[str, ...] = ("",)
    """What the release calls its columns, in order; empty: it has none."""
    numbers: tuple[str, ...] = ()
    """Columns said to hold numbers only; a reader finds out whether they do."""


_NEEDS_SPELLING = r"[^ -~]|^[-+]?[\d.]*$"
"""Texts that are not ASCII, or are numbers."""
NOT_A_TEXT = (
    r"^[-+]?[\d.,]+(?:[eE][-+]?\d+)?\s?%?$|^\d{4}[-/]\d{1,2}(?:[-/]\d{1,2})?(?:[T ][\d:.]*)?$"
    r"|^\*+$|^[^\p{L}\d]*$|^\d{1,2}:\d\d(?::\d\d)?$"
)
"""Cells that are numbers, days, times, or marks."""
MANY_VALUES, FEW_ROWS = 100, 5
"""A column that tells people apart has many values, or few rows to a value."""


class WithheldValues(Protocol):
    """The values of columns that do not leave."""

    def find_among(self, texts: pl.Series) -> pl.Series:
        """Those of the texts, spelled by `as_read`, that stand in a withheld column."""


@dataclass(frozen=True, eq=False)
class WithheldColumns:
    """Withheld values in memory."""

    columns: tuple[pl.Series, ...] = field(default=(), repr=False)

    def find_among(self, texts: pl.Series) -> pl.Series:
        """Those of the texts that are cells of one of the columns, but not common ones."""
        matches = [matching_texts(column.to_frame().lazy(), texts) for column in self.columns]
        return pl.concat([texts.clear().cast(pl.String), *matches]).unique()


@dataclass(frozen=True, eq=False)
class WithheldScan:
    """Withheld values in a file that is read anew; only what matches comes to memory."""

    rows: pl.LazyFrame = field(repr=False)
    names: tuple[str, ...] = ()

    def find_among(self, texts: pl.Series) -> pl.Series:
        """Those of the texts that are cells of one of the columns, but not common ones."""
        matches = [matching_texts(self.rows.select(name), texts) for name in self.names]
        return pl.concat([texts.clear().cast(pl.String), *matches]).unique()


def matching_texts(column: pl.LazyFrame, texts: pl.Series) -> pl.Series:
    """Those of the texts that are cells of a column, unless more rows have them than usual.

    A cell that many more rows have than the average one (`none`, `unknown`) is nobody's, and a
    column of few values that many rows share (`city`) tells nobody apart.
    """
    name = column.collect_schema().names()[0]
    texts = texts.rename("text")
    cells = column.select(pl.col(name).cast(pl.String).alias("text")).drop_nulls()
    distinct = cells.group_by("text").len().collect(engine="streaming")
    rows = int(distinct["len"].sum())
    usual = max(2 * rows / max(1, distinct.height) + 1, FEW_ROWS)
    if distinct.height < MANY_VALUES and distinct.height * FEW_ROWS <= rows:
        return texts.clear()
    # Most texts need no more than lower case to be spelled as they are read.
    plain = distinct.filter(~pl.col("text").str.contains(_NEEDS_SPELLING))
    lowered = plain.with_columns(
        pl.col("text").str.to_lowercase().str.replace_all(" ", "", literal=True)
    )
    odd = distinct.filter(pl.col("text").str.contains(_NEEDS_SPELLING))
    odd = odd.with_columns(text=as_read(pl.col("text")))
    wanted = texts.to_frame()
    matches = pl.concat([part.join(wanted, on="text", how="semi") for part in (lowered, odd)])
    matches = matches.group_by("text").agg(pl.col("len").sum())
    return matches.filter(pl.col("len") <= usual)["text"]


@dataclass(frozen=True, kw_only=True, eq=False)
class ReleaseTerms:
    """Consents of the data custodian, by column, and what does not leave.

    `named`: columns released by name, whatever stands in them. `declared`: columns that somebody
    called quasi-identifiers or sensitive, which is consent to what they usually hold, not to
    identifying X that are `passing`, texts that fewer than `k` rows have need consent.
    """

    named: frozenset[str] = frozenset()
    declared: frozenset[str] = frozenset()
    codes: frozenset[str] = frozenset()
    passing: frozenset[str] = frozenset()
    withheld: WithheldValues | None = field(default=None, repr=False)
    k: int = 0


NO_TERMS = ReleaseTerms()
"""Nobody consented to anything, and nothing is known to be withheld."""

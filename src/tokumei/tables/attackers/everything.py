"""Everything: whoever knows all that is public of all people, whatever roles columns were given."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import polars as pl

from tokumei.core.cells import class_codes
from tokumei.core.randomness import Randomness
from tokumei.core.text import Text
from tokumei.tables.attackers.assign import assigned
from tokumei.tables.attackers.candidates import consistent_vector, with_everyone
from tokumei.tables.attackers.protocol import Attacker
from tokumei.tables.attackers.sensitive import sensitive_boxes
from tokumei.tables.data.cell_reader import ColumnReader
from tokumei.tables.data.guess import ABSTAIN, Guess, Knowledge
from tokumei.tables.data.schema import Role
from tokumei.tables.data.table import Table

MANY = 0.05
"""If more rows fit nobody, some numbers that looked untouched were moved."""


@dataclass(frozen=True, eq=False)
class Sides:
    """Both tables, and how their columns are compared: cells that fit, numbers that are near."""

    public: Table
    knowledge: Knowledge
    general: list[str]
    equal: list[str]
    kept: list[str]
    """Numbers that may be the original's own: no value is more frequent than there."""
    near: list[str]
    linked: list[str]
    """Pseudonyms: other words than the original's, which say what rows are of one person."""

    @classmethod
    def of(cls, public: Table, knowledge: Knowledge, known: tuple[str, ...]) -> Sides:
        """Every column of both tables that varies and can be read."""
        sides = cls(public, knowledge, [], [], [], [], [])
        knowledge.table.schema.require(known)
        for name in known or knowledge.table.schema.names:
            if name in public.schema.names and public.frame[name].n_unique() > 1:
                sides._place(name)
        return sides

    def _place(self, name: str) -> None:
        table = self.knowledge.table
        original, released = table.frame[name], self.public.frame[name]
        if table.schema[name].role is not Role.QI and are_pseudonyms(original, released):
            self.linked.append(name)
            return
        reader = ColumnReader.of(original, released, self.knowledge.hierarchies.get(name))
        named = self.knowledge.strict and name in (*table.schema.qi, *table.schema.sa)
        if _only_emptied(reader, original, released):
            self.kept.append(name)
        elif reader.reads(released, strict=named):
            if reader.explains(released):
                self.general.append(name)
        elif not (original.dtype.is_numeric() and released.dtype.is_numeric()):
            self.equal.append(name)
        else:
            (self.kept if _may_be_kept(original, released) else self.near).append(name)

    def fitting(self, names: list[str]) -> Guess:
        """Known rows that fit in some columns."""
        known, hierarchies = self.knowledge.table.frame, self.knowledge.hierarchies
        return consistent_vector(self.public.frame, known, names, hierarchies)

    def nearest(self, found: Guess, names: list[str]) -> Guess:
        """The nearest of each set by standardized distance, one-to-one where that can be had.

        Gaps count as in `sensitive.py`.
        """
        boxes = sensitive_boxes(self.public, self.knowledge, names, aware=True, standardize=True)
        return assigned(found, boxes)


@dataclass(frozen=True)
class Everything(Attacker):
    """Candidates by every public column; those that fit nobody by what is nearest.

    Generalized cells are read, text and untouched numbers must be equal, changed numbers be near.
    Rows with the same pseudonym are of one person, who must fit all of them.
    `known` narrows what the attacker knows to some columns.
    """

    name: ClassVar[str] = "everything"
    title: ClassVar[Text] = Text("Knows everything that is public", "公開されたすべての列を知る")
    sentence: ClassVar[Text] = Text(
        "Compares every public column, whether it was named or not: cells are read, text and "
        "untouched numbers must be equal, changed numbers be near.",
        "役割の指定にかかわらず、公開されたすべての列を比べます。一般化されたセルは読み取り、文字列と"
        "変更のない数値は一致、変更された数値は近さで比べます。",
    )
    formula: ClassVar[str] = "y → { x : x fits y in every public column }"

    known: tuple[str, ...] = ()

    def attack(self, public: Table, knowledge: Knowledge, *, rng: Randomness) -> Guess:
        """Who fits in all that is public; else who is nearest among those that fit in the cells."""
        sides = Sides.of(public, knowledge, self.known)
        exact, near = [*sides.general, *sides.equal, *sides.kept], sides.near
        found = sides.fitting(exact)
        if sides.kept and (~found.answered).mean() > MANY:
            exact, near = [*sides.general, *sides.equal], [*sides.kept, *sides.near]
            found = sides.fitting(exact)
        lost = ~found.answered
        for name in sides.linked:
            found = narrowed(found, knowledge.table.frame[name], public.frame[name])
        if near:
            found = sides.nearest(found, near)
        if not lost.any():
            return found
        return found.replaced(lost, self._fallback(sides, lost, knowledge.rows))

    def _fallback(self, sides: Sides, lost: np.ndarray, known: int) -> Guess:
        """For the rows that fit nobody: whoever fits the generalized cells, and is near."""
        found = with_everyone(sides.fitting(sides.general), known)
        found = Guess(np.where(lost, found.group, ABSTAIN), found.start, found.rows)
        numbers = [*sides.kept, *sides.near]
        return sides.nearest(found, numbers) if numbers else found


def _only_emptied(reader: ColumnReader, original: pl.Series, released: pl.Series) -> bool:
    """Whether numbers stayed numbers, and some cells are gaps that were none."""
    if not (original.dtype.is_numeric() and released.dtype.is_numeric()):
        return False
    read_otherwise = reader.rounding or reader.code or reader.cut or reader.hierarchy
    return reader.nothing == {None} and not read_otherwise


def _may_be_kept(original: pl.Series, released: pl.Series) -> bool:
    """Whether no value is more frequent in the release than in the original."""
    known, shown = (
        series.cast(pl.Float64).alias("value").value_counts(name="rows")
        for series in (original, released)
    )
    both = shown.join(known, on="value", how="left", suffix="_known", nulls_equal=True)
    return bool((both["rows"] <= both["rows_known"].fill_null(0)).all())


MOST = 20_000_000
"""Pairs of a released row and a candidate that are looked at; above, rows stay apart."""


def are_pseudonyms(known: pl.Series, released: pl.Series) -> bool:
    """Whether a column has other words on either side, and no more of them in the release."""
    if known.dtype.is_numeric() and released.dtype.is_numeric():
        return False
    shown = released.cast(pl.String).drop_nulls().unique()
    there = known.cast(pl.String).drop_nulls().unique()
    if not len(shown) or len(shown) > len(there) or shown.str.contains(r"[\[{*;∅]").any():
        return False
    return not shown.is_in(there.implode()).any()


def narrowed(found: Guess, known: pl.Series, released: pl.Series) -> Guess:
    """The guess without people who do not fit every row of a pseudonym: these are of one person."""
    sizes = np.diff(found.start)
    answered = np.flatnonzero(found.answered)
    pairs = sizes[found.group[answered]]
    if found.weights is not None or int(pairs.sum()) > MOST or not len(answered):
        return found
    row = np.repeat(answered, pairs)
    first = np.repeat(found.start[found.group[answered]], pairs)
    within = np.arange(len(row)) - np.repeat(np.cumsum(pairs) - pairs, pairs)
    candidate = found.rows[first + within]
    kept = _fits_all(row, candidate, _codes(released), _codes(known))
    counts = np.bincount(row[kept], minlength=len(found.group))
    start = np.concatenate([[0], np.cumsum(counts)])
    group = np.where(counts > 0, np.arange(len(counts)), ABSTAIN)
    narrow = Guess(group, start, candidate[kept])
    # Where nobody fits all rows, what was guessed before.
    lost = found.answered & ~narrow.answered
    return narrow.replaced(lost, found) if lost.any() else narrow


def _codes(cells: pl.Series) -> np.ndarray:
    return class_codes(cells.alias("one").to_frame(), ["one"])


def _fits_all(
    row: np.ndarray, candidate: np.ndarray, word: np.ndarray, person: np.ndarray
) -> np.ndarray:
    """Which pairs name a person who is a candidate of as many rows of the word as answered."""
    pairs = pl.DataFrame({"word": word[row], "person": person[candidate], "row": row})
    counted = pairs.with_columns(
        fits=pl.col("row").n_unique().over("word", "person"),
        needed=pl.col("row").n_unique().over("word"),
    )
    return (counted["fits"] == counted["needed"]).to_numpy()

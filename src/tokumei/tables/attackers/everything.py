"""everything: an attacker who knows all public columns of all people, whatever their role."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import polars as pl

from tokumei.core.generalized_cells import equivalence_class_codes
from tokumei.core.messages import Message
from tokumei.core.randomness import Randomness
from tokumei.tables.attackers.assignment import assign_or_nearest
from tokumei.tables.attackers.protocol import Attacker
from tokumei.tables.attackers.qi_candidates import fill_with_everyone, match_consistent_qi
from tokumei.tables.attackers.sensitive_distance import build_sensitive_boxes
from tokumei.tables.data.cell_reader import ColumnReader
from tokumei.tables.data.guess import ABSTAIN, Guess, Knowledge
from tokumei.tables.data.schema import Role
from tokumei.tables.data.table import Table

MAX_UNMATCHED_SHARE = 0.05
"""If more rows fit nobody, some numbers that looked untouched were moved."""


@dataclass(frozen=True, eq=False)
class ComparedTables:
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
    def of(cls, public: Table, knowledge: Knowledge, known: tuple[str, ...]) -> ComparedTables:
        """Every column of both tables that varies and can be read."""
        sides = cls(public, knowledge, [], [], [], [], [])
        knowledge.table.schema.require(known)
        for name in known or knowledge.table.schema.names:
            if name in public.schema.names and public.frame[name].n_unique() > 1:
                sides._classify_column(name)
        return sides

    def _classify_column(self, name: str) -> None:
        table = self.knowledge.table
        original, released = table.frame[name], self.public.frame[name]
        if table.schema[name].role is not Role.QI and are_pseudonyms(original, released):
            self.linked.append(name)
            return
        reader = ColumnReader.of(original, released, self.knowledge.hierarchies.get(name))
        is_strict = self.knowledge.strict and name in (*table.schema.qi, *table.schema.sa)
        if _has_only_new_gaps(reader, original, released):
            self.kept.append(name)
        elif reader.reads(released, strict=is_strict):
            if reader.can_read_all(released):
                self.general.append(name)
        elif not (original.dtype.is_numeric() and released.dtype.is_numeric()):
            self.equal.append(name)
        else:
            (self.kept if _may_be_unchanged(original, released) else self.near).append(name)

    def fitting(self, names: list[str]) -> Guess:
        """Known rows that fit in some columns."""
        known, hierarchies = self.knowledge.table.frame, self.knowledge.hierarchies
        return match_consistent_qi(self.public.frame, known, names, hierarchies)

    def nearest(self, candidates: Guess, names: list[str]) -> Guess:
        """The nearest of each set by standardized distance, one-to-one where that can be had.

        Gaps count as in `sensitive_distance.py`.
        """
        boxes = build_sensitive_boxes(
            self.public, self.knowledge, names, aware=True, standardize=True
        )
        return assign_or_nearest(candidates, boxes)


@dataclass(frozen=True)
class Everything(Attacker):
    """Candidates by every public column; those that fit nobody by what is nearest.

    Generalized cells are read, text and untouched numbers must be equal, changed numbers be near.
    Rows with the same pseudonym are of one person, who must fit all of them.
    `known` narrows what the attacker knows to some columns.
    """

    name: ClassVar[str] = "everything"
    title: ClassVar[Message] = Message("Knows everything that is public")
    sentence: ClassVar[Message] = Message(
        "Compares every public column, named or not: generalized cells are read, texts and "
        "unchanged numbers must be equal, changed numbers must be near."
    )
    formula: ClassVar[str] = "y → { x : x fits y in every public column }"

    known: tuple[str, ...] = ()

    def attack(self, public: Table, knowledge: Knowledge, *, rng: Randomness) -> Guess:
        """Who fits in all that is public; else who is nearest among those that fit in the cells."""
        sides = ComparedTables.of(public, knowledge, self.known)
        exact_names, near_names = [*sides.general, *sides.equal, *sides.kept], sides.near
        candidates = sides.fitting(exact_names)
        if sides.kept and (~candidates.answered).mean() > MAX_UNMATCHED_SHARE:
            exact_names, near_names = [*sides.general, *sides.equal], [*sides.kept, *sides.near]
            candidates = sides.fitting(exact_names)
        is_unmatched = ~candidates.answered
        for name in sides.linked:
            candidates = narrow_by_pseudonym(
                candidates, knowledge.table.frame[name], public.frame[name]
            )
        if near_names:
            candidates = sides.nearest(candidates, near_names)
        if not is_unmatched.any():
            return candidates
        return candidates.replaced(
            is_unmatched, self._fallback(sides, is_unmatched, knowledge.rows)
        )

    def _fallback(self, sides: ComparedTables, is_unmatched: np.ndarray, known: int) -> Guess:
        """For the rows that fit nobody: whoever fits the generalized cells, and is near."""
        candidates = fill_with_everyone(sides.fitting(sides.general), known)
        candidates = Guess(
            np.where(is_unmatched, candidates.group, ABSTAIN), candidates.start, candidates.rows
        )
        numbers = [*sides.kept, *sides.near]
        return sides.nearest(candidates, numbers) if numbers else candidates


def _has_only_new_gaps(reader: ColumnReader, original: pl.Series, released: pl.Series) -> bool:
    """Whether numbers stayed numbers, and some cells are gaps that were none."""
    if not (original.dtype.is_numeric() and released.dtype.is_numeric()):
        return False
    read_otherwise = reader.rounding or reader.code or reader.cut or reader.hierarchy
    return reader.nothing == {None} and not read_otherwise


def _may_be_unchanged(original: pl.Series, released: pl.Series) -> bool:
    """Whether no value is more frequent in the release than in the original."""
    known_counts, released_counts = (
        series.cast(pl.Float64).alias("value").value_counts(name="rows")
        for series in (original, released)
    )
    joined_counts = released_counts.join(
        known_counts, on="value", how="left", suffix="_known", nulls_equal=True
    )
    return bool((joined_counts["rows"] <= joined_counts["rows_known"].fill_null(0)).all())


MAX_PAIRS = 20_000_000
"""Pairs of a released row and a candidate that are looked at; above, rows stay apart."""


def are_pseudonyms(known: pl.Series, released: pl.Series) -> bool:
    """Whether a column has other words on either side, and no more of them in the release."""
    if known.dtype.is_numeric() and released.dtype.is_numeric():
        return False
    released_values = released.cast(pl.String).drop_nulls().unique()
    known_values = known.cast(pl.String).drop_nulls().unique()
    if (
        not len(released_values)
        or len(released_values) > len(known_values)
        or released_values.str.contains(r"[\[{*;∅]").any()
    ):
        return False
    return not released_values.is_in(known_values.implode()).any()


def narrow_by_pseudonym(candidates: Guess, known: pl.Series, released: pl.Series) -> Guess:
    """The guess without people who do not fit every row of a pseudonym: these are of one person."""
    sizes = np.diff(candidates.start)
    answered = np.flatnonzero(candidates.answered)
    pairs = sizes[candidates.group[answered]]
    if candidates.weights is not None or int(pairs.sum()) > MAX_PAIRS or not len(answered):
        return candidates
    row = np.repeat(answered, pairs)
    set_start = np.repeat(candidates.start[candidates.group[answered]], pairs)
    offset_in_set = np.arange(len(row)) - np.repeat(np.cumsum(pairs) - pairs, pairs)
    candidate = candidates.rows[set_start + offset_in_set]
    is_kept = _fits_all_rows(row, candidate, _encode_cells(released), _encode_cells(known))
    counts = np.bincount(row[is_kept], minlength=len(candidates.group))
    start = np.concatenate([[0], np.cumsum(counts)])
    group = np.where(counts > 0, np.arange(len(counts)), ABSTAIN)
    narrowed_guess = Guess(group, start, candidate[is_kept])
    # Where nobody fits all rows, what was guessed before.
    is_unmatched = candidates.answered & ~narrowed_guess.answered
    return (
        narrowed_guess.replaced(is_unmatched, candidates) if is_unmatched.any() else narrowed_guess
    )


def _encode_cells(cells: pl.Series) -> np.ndarray:
    return equivalence_class_codes(cells.alias("one").to_frame(), ["one"])


def _fits_all_rows(
    row: np.ndarray, candidate: np.ndarray, pseudonym_codes: np.ndarray, person_codes: np.ndarray
) -> np.ndarray:
    """Which pairs name a person who is a candidate of as many rows of the word as answered."""
    pairs = pl.DataFrame(
        {"word": pseudonym_codes[row], "person": person_codes[candidate], "row": row}
    )
    counted = pairs.with_columns(
        fits=pl.col("row").n_unique().over("word", "person"),
        needed=pl.col("row").n_unique().over("word"),
    )
    return (counted["fits"] == counted["needed"]).to_numpy()

"""What is wrong with levels as they are written: every fault with its line, value and level.

found = examine(rows, column="age")
found.faults                        # [] if a hierarchy can be made of found.rows
found.notes                         # what is odd and allowed

A row must have as many levels as the others and end in `*`, alone; a label must have one parent;
a leaf may be repeated only with the same labels.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np
import polars as pl

from tokumei.core.cells import STAR, class_codes
from tokumei.core.errors import Fault
from tokumei.core.text import Text
from tokumei.tables.hierarchies import fault_words as words
from tokumei.tables.hierarchies.oddities import oddities, repeated_note
from tokumei.tables.hierarchies.rows import LevelRows, level_frame
from tokumei.tables.hierarchies.spelling import spelled

LISTED = 1000
"""Faults described for each kind of fault; the rest is only counted."""


@dataclass
class Examined:
    """Rows to make a hierarchy of, each leaf once, unless there are faults."""

    rows: LevelRows
    column: str
    faults: list[Fault] = field(default_factory=list)
    total: int = 0
    repeated: int = 0
    codes: list[np.ndarray] = field(default_factory=list)
    """For every level the node of every row, numbered as they appear."""

    @property
    def notes(self) -> list[Text]:
        """What is odd and allowed."""
        again = [repeated_note(self.repeated)] if self.repeated else []
        return again if self.faults else again + oddities(self.rows.frame)

    def add(self, rule: str, wrong: np.ndarray, says: Callable[[int], Text]) -> None:
        """A fault for each of these rows."""
        self.total += len(wrong)
        self.faults += [self._fault(rule, int(row), says(int(row))) for row in wrong[:LISTED]]

    def _fault(self, rule: str, row: int, says: Text) -> Fault:
        line = self.rows.line_of(row)
        message = Text(f"line {line}: {says.en}", f"{line} 行目: {says.ja}")
        return Fault(rule=f"hierarchy-{rule}", line=line, column=self.column, message=message)


def examine(rows: LevelRows, *, column: str, complete: bool = False) -> Examined:
    """Check the rows, completed first if asked; faults in the order of their lines."""
    if not rows.frame.height:
        return Examined(rows, column, [words.no_rows(column)], 1)
    if complete:
        rows = LevelRows(completed(rows.frame), rows.lines, rows.where)
    found = Examined(rows, column)
    good = _check_shape(found)
    if not good.all():
        found.rows = rows.take(np.flatnonzero(good))
    _check_leaves(found)
    _check_nesting(found)
    found.faults.sort(key=lambda fault: fault.line or 0)
    return found


def completed(frame: pl.DataFrame) -> pl.DataFrame:
    """Rows without the `*` and empty cells at their ends, filled by their last label, then `*`."""
    levels = list(frame.get_columns())
    stops = pl.Series(np.ones(frame.height, dtype=bool))
    nothing = pl.Series([None], dtype=pl.String).new_from_index(0, frame.height)
    for level in range(len(levels) - 1, 0, -1):
        stops = stops & levels[level].fill_null(STAR).is_in([STAR, ""])
        levels[level] = nothing.zip_with(stops, levels[level])
    while len(levels) > 1 and levels[-1].null_count() == frame.height:
        levels.pop()
    for level in range(1, len(levels)):
        levels[level] = levels[level].zip_with(levels[level].is_not_null(), levels[level - 1])
    return level_frame([*levels, pl.Series([STAR]).new_from_index(0, frame.height)])


def _check_shape(found: Examined) -> np.ndarray:
    """Every row has all levels, ends in `*` and has no `*` or empty label before: which do?

    A row is told only the first of these faults that it has.
    """
    good = np.ones(found.rows.frame.height, dtype=bool)
    for rule, broken, says in _shape_rules(found.rows.frame):
        wrong = broken & good
        found.add(rule, np.flatnonzero(wrong), says)
        good &= ~wrong
    return good


def _shape_rules(frame: pl.DataFrame) -> Iterator[tuple[str, np.ndarray, Callable[[int], Text]]]:
    """A rule at a time: the rows that break it, and what to say of one."""
    width = frame.width
    leaves = frame[:, 0]
    sizes = frame.select(pl.sum_horizontal(pl.all().is_not_null()))[:, 0].to_numpy()
    starred, empty = (
        np.stack([_is(frame[:, level], text) for level in range(width)]) for text in (STAR, "")
    )
    yield "star", starred[0], lambda row: words.starred_leaf()
    yield (
        "levels",
        np.asarray(sizes < width),
        lambda row: words.too_few(leaves[row], int(sizes[row]), width),
    )
    yield "star", ~starred[-1], lambda row: words.no_star(leaves[row], str(frame[row, width - 1]))
    yield (
        "star",
        np.asarray(starred[1:-1].any(axis=0)),
        lambda row: words.early_star(leaves[row], int(starred[1:, row].argmax()) + 1),
    )
    # A leaf without a name stands for missing cells, and may stay nameless up to `*`.
    yield (
        "empty",
        np.asarray(empty[1:].any(axis=0) & ~empty[0]),
        lambda row: words.nameless(leaves[row], int(empty[1:, row].argmax()) + 1),
    )


def _check_leaves(found: Examined) -> None:
    """A leaf stands once, or again with the same labels; then only the first is kept."""
    rows, frame = found.rows, found.rows.frame
    leaf = class_codes(frame.with_columns(spelled(frame["0"])), ["0"])
    first = np.unique(leaf, return_index=True)[1]
    if len(first) == frame.height:
        return
    path = class_codes(frame, frame.columns)
    earlier = first[leaf]

    def says(row: int) -> Text:
        before = int(earlier[row])
        return words.two_paths(frame.row(row), frame.row(before), rows.line_of(before))

    found.add("leaf", np.flatnonzero(path != path[earlier]), says)
    found.repeated = int((path == path[earlier]).sum()) - len(first)
    found.rows = rows.take(first)


def _check_nesting(found: Examined) -> None:
    """All rows with one label share the label above it."""
    frame = found.rows.frame
    found.codes = [class_codes(frame, [level]) for level in frame.columns]
    for level in range(1, frame.width - 1):
        _check_parents(found, level)


def _check_parents(found: Examined, level: int) -> None:
    rows, frame = found.rows, found.rows.frame
    label, parent = found.codes[level : level + 2]
    earlier = np.unique(label, return_index=True)[1][label]
    torn = np.flatnonzero(parent != parent[earlier])
    # One fault for each second parent, on the first line that names it.
    pairs = np.stack([label[torn], parent[torn]])
    named = np.unique(pairs, axis=1, return_index=True)[1]

    def says(row: int) -> Text:
        before = int(earlier[row])
        parents = (str(frame[row, level + 1]), str(frame[before, level + 1]))
        return words.two_parents(str(frame[row, level]), level, parents, rows.line_of(before))

    found.add("nested", np.sort(torn[named]), says)


def _is(labels: pl.Series, text: str) -> np.ndarray:
    return (labels == text).fill_null(False).to_numpy()

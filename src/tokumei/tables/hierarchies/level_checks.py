"""Checks the levels of a hierarchy; every violation names line, value and level.

examination = examine_levels(rows, column="age")
examination.faults                  # [] if examination.rows make a hierarchy
examination.notes                   # what is unusual but allowed

A row must have as many levels as the others and end in `*`, alone; a label must have one parent;
a leaf may be repeated only with the same labels. Where no row has a `*`, one is put on top of all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import polars as pl

from tokumei.core.errors import Violation
from tokumei.core.generalized_cells import SUPPRESSED_CELL, equivalence_class_codes
from tokumei.core.messages import Message
from tokumei.tables.hierarchies.leaf_lookup import canonicalize_text
from tokumei.tables.hierarchies.level_rows import LevelRows, describe_oddities, level_frame

MAX_LISTED = 1000
"""Faults described for each kind of fault; the rest is only counted."""
_STARRED_LEAF = Message(
    "a leaf cannot be named '{star}': that is what every leaf ends in", star=SUPPRESSED_CELL
)

_STAR_ADDED = Message("no row ends in '{star}': it was put on top of all", star=SUPPRESSED_CELL)


@dataclass
class LevelExamination:
    """Rows to make a hierarchy of, each leaf once, unless there are faults."""

    rows: LevelRows
    column: str
    faults: list[Violation] = field(default_factory=list)
    total: int = 0
    repeated: int = 0
    topped: bool = False
    """Whether no row had a `*`, so that one was put on top of all."""
    codes: list[np.ndarray] = field(default_factory=list)
    """For every level the node of every row, numbered as they appear."""
    names: list[list[str]] = field(default_factory=list)
    """For every level the names of its nodes, by number."""

    @property
    def notes(self) -> list[Message]:
        """What is odd and allowed."""
        repeated_note = Message(
            "{count} row repeats an earlier leaf with the same labels and is ignored",
            plural="{count:,} rows repeat an earlier leaf with the same labels and are ignored",
            count=self.repeated,
        )
        notes = [repeated_note] * bool(self.repeated) + [_STAR_ADDED] * self.topped
        return notes if self.faults else notes + describe_oddities(self.rows.frame)

    def add(self, rule: str, wrong_rows: np.ndarray, describe: Callable[[int], Message]) -> None:
        """A fault for each of these rows."""
        self.total += len(wrong_rows)
        for row in wrong_rows[:MAX_LISTED].tolist():
            line, problem = self.rows.line_of(row), describe(row)
            message = Message("line {line}: {problem}", line=line, problem=problem)
            self.faults.append(
                Violation(rule=f"hierarchy-{rule}", message=message, line=line, column=self.column)
            )


def examine_levels(rows: LevelRows, *, column: str, complete: bool = False) -> LevelExamination:
    """Check the rows, completed first if asked; faults in the order of their lines."""
    if not rows.frame.height:
        message = Message("there are no rows")
        fault = Violation(rule="hierarchy-empty", message=message, column=column)
        return LevelExamination(rows, column, [fault], 1)
    if complete:
        rows = LevelRows(complete_levels(rows.frame), rows.lines, rows.where)
    is_written, is_star, _ = _label_flags(rows.frame)
    needs_star = rows.frame.width > 1 and bool(is_written.all()) and not is_star.any()
    if needs_star:
        stars = pl.Series([SUPPRESSED_CELL]).new_from_index(0, rows.frame.height)
        levels = level_frame([*rows.frame.get_columns(), stars])
        rows = LevelRows(levels, rows.lines, rows.where)
    examination = LevelExamination(rows, column, topped=needs_star)
    is_good = _check_shape(examination)
    if not is_good.all():
        examination.rows = rows.take(np.flatnonzero(is_good))
    _check_leaves(examination)
    _check_nesting(examination)
    examination.faults.sort(key=lambda fault: fault.line or 0)
    return examination


def complete_levels(frame: pl.DataFrame) -> pl.DataFrame:
    """Rows without the `*` and empty cells at their ends, filled by their last label, then `*`."""
    levels = list(frame.get_columns())
    has_stopped = pl.Series(np.ones(frame.height, dtype=bool))
    empty_labels = pl.Series([None], dtype=pl.String).new_from_index(0, frame.height)
    for level in range(len(levels) - 1, 0, -1):
        has_stopped = has_stopped & levels[level].fill_null(SUPPRESSED_CELL).is_in(
            [SUPPRESSED_CELL, ""]
        )
        levels[level] = empty_labels.zip_with(has_stopped, levels[level])
    while len(levels) > 1 and levels[-1].null_count() == frame.height:
        levels.pop()
    for level in range(1, len(levels)):
        levels[level] = levels[level].zip_with(levels[level].is_not_null(), levels[level - 1])
    return level_frame([*levels, pl.Series([SUPPRESSED_CELL]).new_from_index(0, frame.height)])


def _check_shape(examination: LevelExamination) -> np.ndarray:
    """Every row has all levels, ends in `*` and has no `*` or empty label before: which do?

    A row is told only the first of these faults that it has.
    """
    is_good = np.ones(examination.rows.frame.height, dtype=bool)
    for rule, broken, describe in _shape_rules(examination.rows.frame):
        newly_broken = broken & is_good
        examination.add(rule, np.flatnonzero(newly_broken), describe)
        is_good &= ~newly_broken
    return is_good


def _shape_rules(frame: pl.DataFrame) -> Iterator[tuple[str, np.ndarray, Callable[[int], Message]]]:
    """A rule at a time: the rows that break it, and what to say of one."""
    width, leaves = frame.width, frame[:, 0]
    written, starred, empty = _label_flags(frame)
    sizes = written.sum(axis=0)

    def too_few(row: int) -> Message:
        return Message(
            "'{leaf}' has {count} level, other rows have {width}",
            plural="'{leaf}' has {count} levels, other rows have {width}",
            count=int(sizes[row]),
            leaf=leaves[row],
            width=width,
        )

    def no_star(row: int) -> Message:
        leaf, last = leaves[row], frame[row, width - 1]
        return Message(
            "'{leaf}' ends in '{last}', not in '{star}': the last level must be '{star}' for all",
            leaf=leaf,
            last=last,
            star=SUPPRESSED_CELL,
        )

    def early_star(row: int) -> Message:
        leaf, at = leaves[row], int(starred[1:, row].argmax()) + 1
        return Message(
            "'{leaf}' is already '{star}' on level {level}; only the last level may be '{star}'",
            leaf=leaf,
            star=SUPPRESSED_CELL,
            level=at,
        )

    def nameless(row: int) -> Message:
        leaf, at = leaves[row], int(empty[1:, row].argmax()) + 1
        return Message("'{leaf}' has an empty label on level {level}", leaf=leaf, level=at)

    yield "star", starred[0], lambda row: _STARRED_LEAF
    yield "levels", np.asarray(sizes < width), too_few
    yield "star", ~starred[-1], no_star
    yield "star", np.asarray(starred[1:-1].any(axis=0)), early_star
    # A leaf without a name stands for missing cells, and may stay nameless up to `*`.
    yield "empty", np.asarray(empty[1:].any(axis=0) & ~empty[0]), nameless


def _check_leaves(examination: LevelExamination) -> None:
    """A leaf stands once, or again with the same labels; then only the first is kept."""
    rows, frame = examination.rows, examination.rows.frame
    leaf, _ = _number_labels(canonicalize_text(frame["0"]).to_list())
    first = np.unique(leaf, return_index=True)[1]
    if len(first) == frame.height:
        return
    path = equivalence_class_codes(frame, frame.columns)
    earlier = first[leaf]

    def says(row: int) -> Message:
        before = int(earlier[row])
        line = rows.line_of(before)
        path_here, path_before = (" → ".join(frame.row(at)) for at in (row, before))
        leaf = frame[row, 0]
        return Message(
            "leaf '{leaf}' is already on line {line}, with other labels: {path_before}, here "
            "{path_here}",
            leaf=leaf,
            line=line,
            path_before=path_before,
            path_here=path_here,
        )

    examination.add("leaf", np.flatnonzero(path != path[earlier]), says)
    examination.repeated = int((path == path[earlier]).sum()) - len(first)
    examination.rows = rows.take(first)


def _check_nesting(examination: LevelExamination) -> None:
    """All rows with one label share the label above it."""
    frame = examination.rows.frame
    for labels in frame:
        codes, names = _number_labels(labels.to_list())
        examination.codes.append(codes)
        examination.names.append(names)
    for level in range(1, frame.width - 1):
        _check_parents(examination, level)


def _check_parents(examination: LevelExamination, level: int) -> None:
    rows, frame = examination.rows, examination.rows.frame
    label, parent = examination.codes[level : level + 2]
    earlier = np.unique(label, return_index=True)[1][label]
    conflicting = np.flatnonzero(parent != parent[earlier])
    # One fault for each second parent, on the first line that names it.
    pairs = np.stack([label[conflicting], parent[conflicting]])
    first_of_pair = np.unique(pairs, axis=1, return_index=True)[1]

    def says(row: int) -> Message:
        before = int(earlier[row])
        parent_here, parent_before = (frame[at, level + 1] for at in (row, before))
        name, line = frame[row, level], rows.line_of(before)
        return Message(
            "'{name}' (level {level}) lies in '{parent_here}' here and in '{parent_before}' on "
            "line {line}: a node has one parent on level {parent_level}",
            name=name,
            level=level,
            parent_here=parent_here,
            parent_before=parent_before,
            line=line,
            parent_level=level + 1,
        )

    examination.add("nested", np.sort(conflicting[first_of_pair]), says)


def _label_flags(frame: pl.DataFrame) -> np.ndarray:
    """By level and row, whether there is a label, whether it is `*`, and whether it is empty."""
    flags = frame.select(
        pl.all().is_not_null().name.suffix("?"),
        (pl.all() == SUPPRESSED_CELL).fill_null(False).name.suffix("*"),
        (pl.all() == "").fill_null(False).name.suffix("_"),
    )
    return flags.to_numpy().T.reshape(3, frame.width, frame.height)


def _number_labels(labels: Sequence[str]) -> tuple[np.ndarray, list[str]]:
    """The number of every label by first appearance, and the labels by number."""
    # Most hierarchies are short: a query for each of their levels would take longer to start.
    numbers: dict[str, int] = {}
    codes = [numbers.setdefault(label, len(numbers)) for label in labels]
    return np.array(codes, dtype=np.int64), list(numbers)

"""What is wrong with levels as they are written: every fault with its line, value and level.

found = examine(rows, column="age")
found.faults                        # [] if a hierarchy can be made of found.rows
found.notes                         # what is odd and allowed

A row must have as many levels as the others and end in `*`, alone; a label must have one parent;
a leaf may be repeated only with the same labels. Where no row has a `*`, one is put on top of all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import polars as pl

from tokumei.core.cells import STAR, class_codes
from tokumei.core.errors import Fault
from tokumei.core.text import Text
from tokumei.tables.hierarchies.leaves import spelled
from tokumei.tables.hierarchies.rows import LevelRows, level_frame, oddities

LISTED = 1000
"""Faults described for each kind of fault; the rest is only counted."""
_STARRED_LEAF = Text(
    f"a leaf cannot be named '{STAR}': that is what every leaf ends in",
    f"葉の名前に '{STAR}' は使えません。'{STAR}' はすべての葉の行き着く先です",
)

_TOPPED = Text(
    f"no row ends in '{STAR}': it was put on top of all",
    f"'{STAR}' で終わる行がないため、最上段に '{STAR}' を加えました",
)


@dataclass
class Examined:
    """Rows to make a hierarchy of, each leaf once, unless there are faults."""

    rows: LevelRows
    column: str
    faults: list[Fault] = field(default_factory=list)
    total: int = 0
    repeated: int = 0
    topped: bool = False
    """Whether no row had a `*`, so that one was put on top of all."""
    codes: list[np.ndarray] = field(default_factory=list)
    """For every level the node of every row, numbered as they appear."""
    names: list[list[str]] = field(default_factory=list)
    """For every level the names of its nodes, by number."""

    @property
    def notes(self) -> list[Text]:
        """What is odd and allowed."""
        again = Text(
            f"{self.repeated} row(s) repeat an earlier leaf with the same labels and are ignored",
            f"{self.repeated} 行は前の葉と同じ内容の繰り返しなので無視します",
        )
        found = [again] * bool(self.repeated) + [_TOPPED] * self.topped
        return found if self.faults else found + oddities(self.rows.frame)

    def add(self, rule: str, wrong: np.ndarray, says: Callable[[int], Text]) -> None:
        """A fault for each of these rows."""
        self.total += len(wrong)
        for row in wrong[:LISTED].tolist():
            line, said = self.rows.line_of(row), says(row)
            message = Text(f"line {line}: {said.en}", f"{line} 行目: {said.ja}")
            self.faults.append(
                Fault(rule=f"hierarchy-{rule}", message=message, line=line, column=self.column)
            )


def examine(rows: LevelRows, *, column: str, complete: bool = False) -> Examined:
    """Check the rows, completed first if asked; faults in the order of their lines."""
    if not rows.frame.height:
        nothing = Text("there are no rows", "行がありません")
        fault = Fault(rule="hierarchy-empty", message=nothing, column=column)
        return Examined(rows, column, [fault], 1)
    if complete:
        rows = LevelRows(completed(rows.frame), rows.lines, rows.where)
    written, starred, _ = _marks(rows.frame)
    topped = rows.frame.width > 1 and bool(written.all()) and not starred.any()
    if topped:
        stars = pl.Series([STAR]).new_from_index(0, rows.frame.height)
        levels = level_frame([*rows.frame.get_columns(), stars])
        rows = LevelRows(levels, rows.lines, rows.where)
    found = Examined(rows, column, topped=topped)
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
    width, leaves = frame.width, frame[:, 0]
    written, starred, empty = _marks(frame)
    sizes = written.sum(axis=0)

    def too_few(row: int) -> Text:
        return Text(
            f"'{leaves[row]}' has {sizes[row]} level(s), other rows have {width}",
            f"'{leaves[row]}' は {sizes[row]} 段しかありません (ほかの行は {width} 段)",
        )

    def no_star(row: int) -> Text:
        leaf, last = leaves[row], frame[row, width - 1]
        return Text(
            f"'{leaf}' ends in '{last}', not in '{STAR}': the last level must be '{STAR}' for all",
            f"'{leaf}' の最後は '{last}' です。最後の段はすべて '{STAR}' でなければなりません",
        )

    def early_star(row: int) -> Text:
        leaf, at = leaves[row], int(starred[1:, row].argmax()) + 1
        return Text(
            f"'{leaf}' is already '{STAR}' on level {at}; only the last level may be '{STAR}'",
            f"'{leaf}' が第 {at} 段で既に '{STAR}' です。'{STAR}' は最後の段だけに置けます",
        )

    def nameless(row: int) -> Text:
        leaf, at = leaves[row], int(empty[1:, row].argmax()) + 1
        return Text(f"'{leaf}' has an empty label on level {at}", f"'{leaf}' の第 {at} 段が空です")

    yield "star", starred[0], lambda row: _STARRED_LEAF
    yield "levels", np.asarray(sizes < width), too_few
    yield "star", ~starred[-1], no_star
    yield "star", np.asarray(starred[1:-1].any(axis=0)), early_star
    # A leaf without a name stands for missing cells, and may stay nameless up to `*`.
    yield "empty", np.asarray(empty[1:].any(axis=0) & ~empty[0]), nameless


def _check_leaves(found: Examined) -> None:
    """A leaf stands once, or again with the same labels; then only the first is kept."""
    rows, frame = found.rows, found.rows.frame
    leaf, _ = _numbered(spelled(frame["0"]).to_list())
    first = np.unique(leaf, return_index=True)[1]
    if len(first) == frame.height:
        return
    path = class_codes(frame, frame.columns)
    earlier = first[leaf]

    def says(row: int) -> Text:
        before = int(earlier[row])
        line = rows.line_of(before)
        here, there = (" → ".join(frame.row(at)) for at in (row, before))
        leaf = frame[row, 0]
        return Text(
            f"leaf '{leaf}' is already on line {line}, with other labels: {there}, here {here}",
            f"葉 '{leaf}' は {line} 行目に別の道筋で既にあります: {there} (ここでは {here})",
        )

    found.add("leaf", np.flatnonzero(path != path[earlier]), says)
    found.repeated = int((path == path[earlier]).sum()) - len(first)
    found.rows = rows.take(first)


def _check_nesting(found: Examined) -> None:
    """All rows with one label share the label above it."""
    frame = found.rows.frame
    for labels in frame:
        codes, names = _numbered(labels.to_list())
        found.codes.append(codes)
        found.names.append(names)
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
        here, there = (frame[at, level + 1] for at in (row, before))
        name, line = frame[row, level], rows.line_of(before)
        return Text(
            f"'{name}' (level {level}) lies in '{here}' here and in '{there}' on line {line}: "
            f"a node has one parent on level {level + 1}",
            f"'{name}' (第 {level} 段) はここでは '{here}'、{line} 行目では '{there}' に属します。"
            f"第 {level + 1} 段の親は一つだけです",
        )

    found.add("nested", np.sort(torn[named]), says)


def _marks(frame: pl.DataFrame) -> np.ndarray:
    """By level and row, whether there is a label, whether it is `*`, and whether it is empty."""
    told = frame.select(
        pl.all().is_not_null().name.suffix("?"),
        (pl.all() == STAR).fill_null(False).name.suffix("*"),
        (pl.all() == "").fill_null(False).name.suffix("_"),
    )
    return told.to_numpy().T.reshape(3, frame.width, frame.height)


def _numbered(labels: Sequence[str]) -> tuple[np.ndarray, list[str]]:
    """The number of every label by first appearance, and the labels by number."""
    # Most hierarchies are short: a query for each of their levels would take longer to start.
    places: dict[str, int] = {}
    codes = [places.setdefault(label, len(places)) for label in labels]
    return np.array(codes, dtype=np.int64), list(places)

"""Base class of history layouts: reads a file, and writes rows of a release.

    history = history_layout("pws2018", {"encoding": "cp932"}).read("T.csv")
    history = HeaderTable(columns={"customer": "CustomerID", "day": "Date"}).read("sales.csv")
    seen = HeaderTable(columns={"customer": "CustomerID", "day": "Date"}).read_public("public.csv")

A new layout is a class with `read` and a line in `histories/registry.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Literal, cast

import numpy as np
import polars as pl

from tokumei.core.errors import MAX_SHOWN_VIOLATIONS, InputError, UnknownNameError, Violation
from tokumei.core.generalized_cells import SUPPRESSED_CELL
from tokumei.core.messages import Message
from tokumei.core.parsing.dates import DatePreferences
from tokumei.core.registry import Layout, build_layout
from tokumei.files.atomic_write import Output
from tokumei.files.contest_files import ContestRows
from tokumei.files.file_formats import AnyPath, input_error
from tokumei.files.frame_conversion import ArrowFrame, source_name
from tokumei.files.reading import load_source, read_cells
from tokumei.files.writing import frame_output
from tokumei.histories.data.cell_parsing import parse_general_history
from tokumei.histories.data.column_parsing import COLUMNS, DEFAULT_CELLS, resolve_column_names
from tokumei.histories.data.generalized_history import GeneralHistory, format_history
from tokumei.histories.data.history import History, require_column_name
from tokumei.histories.data.normalization import (
    NORMALIZATION_RULES,
    describe_dropped_times,
    describe_normalization,
    normalize_cells,
)
from tokumei.histories.registry import formats

GUESS_COLUMNS = ("pid", "cid")
"""The columns of a guess."""


@dataclass(frozen=True, kw_only=True)
class HistoryLayout(Layout[History]):
    """Base of layouts of histories; what is made of their files has a header unless they say."""

    reserved: ClassVar[str] = r"[;{}]"
    """What the name of an item cannot hold, because generalized cells are written with it."""
    reserved_signs: ClassVar[Message] = Message("; { or }")
    keeps_names: ClassVar[bool] = False
    """Whether releases have the columns of the file, under their names and in their order."""
    on_spark: ClassVar[bool] = False
    """Whether a cluster can read it."""

    def read_with_notes(self, path: AnyPath | ArrowFrame) -> tuple[History, list[Message]]:
        """The purchases in a file (or a frame, if the layout takes one), and what to know."""
        return self.read(cast(AnyPath, path)), []

    @classmethod
    def rows_output(cls, frame: pl.DataFrame, path: AnyPath, *, secret: bool = False) -> Output:
        """Rows as text in the form of the file they came from, for `write_all`."""
        plain = frame_output(frame, path)
        return Output(plain.path, plain.write, secret, plain.layout)

    def output(self, history: History, path: AnyPath) -> Output:
        """A history itself, for `write_all`."""
        return self.rows_output(format_history(history), path)

    def read_released(self, path: AnyPath) -> ContestRows:
        """The text of rows that were made from such a file: the public ones, or all in order.

        Cells stand under a history's own names; what the source lacks is filled as when it was
        read. Columns that nobody named stand behind them: they left the building, too.
        """
        cells = self._read_cells(path)
        source_names = resolve_column_names(cells.columns, getattr(self, "columns", {}), str(path))
        others = [name for name in cells.columns if name not in source_names.values()]
        output_names = {
            column: source_names[column]
            for column in (*COLUMNS, *source_names)
            if column in source_names
        }
        output_names |= {name if name not in COLUMNS else f"{name}.2": name for name in others}
        rows = cells.select(
            pl.col(output_names[column]).cast(pl.String).fill_null("").alias(column)
            if column in output_names
            else pl.when(pl.col(source_names["customer"]) == SUPPRESSED_CELL)
            .then(pl.lit(SUPPRESSED_CELL))
            .otherwise(
                pl.lit(
                    f"{DEFAULT_CELLS[column]:g}" if column != "item" else str(DEFAULT_CELLS[column])
                )
            )
            .alias(column)
            for column in dict.fromkeys((*COLUMNS, *output_names))
        )
        return _with_line_numbers(rows)

    def read_pairs(self, path: AnyPath) -> ContestRows:
        """Lines of a pseudonym and a customer: a guess, or the truth."""
        cells = self._read_cells(path)
        if cells.width != len(GUESS_COLUMNS):
            reason = Message(
                "one column instead of pseudonym and customer",
                plural="{count} columns instead of pseudonym and customer",
                count=cells.width,
            )
            raise input_error(path, reason)
        renamings = zip(cells.columns, GUESS_COLUMNS, strict=True)
        return _with_line_numbers(
            cells.select(pl.col(a).cast(pl.String).alias(b) for a, b in renamings)
        )

    def read_public(self, path: AnyPath) -> pl.DataFrame:
        """A public release (A′) as text cells."""
        text = self.read_released(path)
        text.require_regular(path)
        return text.frame

    def read_general(self, path: AnyPath, original: History) -> GeneralHistory:
        """A row-aligned release (A) of `original`; the rule checker tells whether it keeps rules.

        Cells that are none count as `*`.
        """
        text = self.read_released(path)
        text.require_regular(path)
        if text.rows != original.rows:
            reason = Message(
                "{count} row, but the original has {original_rows}",
                plural="{count:,} rows, but the original has {original_rows:,}",
                count=text.rows,
                original_rows=original.rows,
            )
            raise input_error(path, reason)
        return parse_general_history(text.frame, original)

    def _read_cells(self, path: AnyPath) -> pl.DataFrame:
        dialect = {name: getattr(self, name) for name in ("sep", "encoding") if hasattr(self, name)}
        return read_cells(path, **dialect)

    @classmethod
    def require_writable(cls, history: History) -> None:
        """Fail, listing them, if items have names that a file of generalized cells cannot hold."""
        for column in ("item", *history.set_values):
            names = history.members(column)
            bad = names.filter(names.str.contains(cls.reserved) | (names == SUPPRESSED_CELL))
            if len(bad):
                raise cls._unwritable_error(bad, history.names.get(column, column))

    @classmethod
    def _unwritable_error(cls, bad: pl.Series, column: str) -> InputError:
        reason = Message(
            "{count} value of {column} cannot be written in this format: it holds {signs}, or is "
            "'*'. Map it to a code or a category first",
            plural="{count:,} values of {column} cannot be written in this format: they hold "
            "{signs}, or are '*'. Map them to codes or categories first",
            count=len(bad),
            column=column,
            signs=cls.reserved_signs,
        )
        messages = [
            Message.verbatim(f"{column} {name!r}") for name in bad.head(MAX_SHOWN_VIOLATIONS)
        ]
        faults = [
            Violation(rule="item-name", column=column, message=message) for message in messages
        ]
        return InputError(reason, faults=faults, total=len(bad))


def history_layout(
    format: str, options: Mapping[str, object] | None = None, *, dashes: str = ""
) -> HistoryLayout:
    """Build the layout of a format; an option that it does not use is refused."""
    layout: HistoryLayout = build_layout(formats, format, options or {}, dashes=dashes)
    return layout


def _with_line_numbers(rows: pl.DataFrame) -> ContestRows:
    lines = np.arange(rows.height) + 2
    return ContestRows(rows, np.full(rows.height, rows.width), lines)


@dataclass(frozen=True, kw_only=True)
class HeaderTable(HistoryLayout):
    """`columns`: what the file calls customer, day, item, price, quantity, value1, value2 …

    Days and numbers may be written as people do; `no_normalize` names rules not to apply, or all,
    and `date_order` says which number is the day where no cell decides it.
    """

    name: ClassVar[str] = "table"
    title: ClassVar[Message] = Message("a table with a header")
    keeps_names: ClassVar[bool] = True
    on_spark: ClassVar[bool] = True

    columns: Mapping[str, str] = field(default_factory=dict)
    sep: str | None = None
    encoding: str = "auto"
    no_normalize: tuple[str, ...] = ()
    date_order: Literal["", "dmy", "mdy", "ymd"] = ""

    def __post_init__(self) -> None:
        for column in self.columns:
            require_column_name(column)
        for rule in self.no_normalize:
            if rule not in NORMALIZATION_RULES:
                raise UnknownNameError(Message("rule"), rule, NORMALIZATION_RULES)

    def read(self, path: AnyPath | ArrowFrame) -> History:
        """The purchases in a file or frame; all cells that cannot be read are listed."""
        return self.read_with_notes(path)[0]

    def read_with_notes(self, path: AnyPath | ArrowFrame) -> tuple[History, list[Message]]:
        """The same, and which columns are not used, and which a history lacks."""
        loaded, where = load_source(path, self.sep, self.encoding), source_name(path)
        source_names = resolve_column_names(loaded.frame.columns, self.columns, where)
        off = frozenset(self.no_normalize)
        frame, rule_counts = normalize_cells(
            loaded.frame, source_names, off, DatePreferences(self.date_order)
        )
        history = History.of(
            frame, where=where, line_of=loaded.line_of, no_normalize=("all",), **self.columns
        )
        days = [
            name
            for column, name in source_names.items()
            if history.like.get(column, column) == "day"
        ]
        notes = [
            *describe_normalization(rule_counts),
            *describe_dropped_times(loaded.frame.select(days)),
        ]
        unused_columns = [name for name in history.frame.columns if name not in history.columns]
        lacking = [column for column in COLUMNS if column not in history.names]
        if unused_columns:
            listed = ", ".join(unused_columns)
            notes.append(Message("Not used and not released: {columns}", columns=listed))
        if lacking:
            listed = ", ".join(lacking)
            notes.append(
                Message("The file has no {columns}: the loss counts them as kept", columns=listed)
            )
        return history, notes

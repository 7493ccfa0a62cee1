"""What every layout of histories can do: read one, and write rows that were made from it.

    history = history_layout("pws2018", encoding="cp932").read("T.csv")
    history = HeaderTable(columns={"customer": "CustomerID", "day": "Date"}).read("sales.csv")
    seen = HeaderTable(columns={"customer": "CustomerID", "day": "Date"}).read_public("public.csv")

A new layout is a class with `read` and a line in `histories/registry.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, cast

import numpy as np
import polars as pl

from tokumei.core.cells import STAR
from tokumei.core.errors import FAULTS_SHOWN, Fault, InputError, UnknownNameError
from tokumei.core.registry import Layout, layout_of
from tokumei.core.text import Text
from tokumei.core.written.dates import Days
from tokumei.files.atomic import Output
from tokumei.files.containers import AnyPath, input_error
from tokumei.files.contest_text import ContestText
from tokumei.files.frames import Frame, source_name
from tokumei.files.reading import load_source, read_cells
from tokumei.files.writing import frame_output
from tokumei.histories.data.columns import ABSENT, COLUMNS, given_columns
from tokumei.histories.data.general import GeneralHistory, history_text
from tokumei.histories.data.history import History, require_column
from tokumei.histories.data.parsing import parse_general
from tokumei.histories.data.written import RULES, in_plain_form, times_left_out, told
from tokumei.histories.registry import formats

PAIR = ("pid", "cid")
"""The columns of a guess."""


@dataclass(frozen=True, kw_only=True)
class HistoryLayout(Layout[History]):
    """Base of layouts of histories; what is made of their files has a header unless they say."""

    reserved: ClassVar[str] = r"[;{}]"
    """What the name of an item cannot hold, because generalized cells are written with it."""
    reserved_signs: ClassVar[Text] = Text("; { or }", "; { }")
    keeps_names: ClassVar[bool] = False
    """Whether releases have the columns of the file, under their names and in their order."""
    on_spark: ClassVar[bool] = False
    """Whether a cluster can read it."""

    def read_noted(self, path: AnyPath | Frame) -> tuple[History, list[Text]]:
        """The purchases in a file (or a frame, if the layout takes one), and what to know."""
        return self.read(cast(AnyPath, path)), []

    @classmethod
    def rows_output(cls, frame: pl.DataFrame, path: AnyPath, *, secret: bool = False) -> Output:
        """Rows as text in the form of the file they came from, for `write_all`."""
        plain = frame_output(frame, path)
        return Output(plain.path, plain.write, secret)

    def output(self, history: History, path: AnyPath) -> Output:
        """A history itself, for `write_all`."""
        return self.rows_output(history_text(history), path)

    def read_released(self, path: AnyPath) -> ContestText:
        """The text of rows that were made from such a file: the public ones, or all in order.

        Cells stand under a history's own names; what the source lacks is filled as when it was
        read. Columns that nobody named stand behind them: they left the building, too.
        """
        cells = self._cells(path)
        found = given_columns(cells.columns, getattr(self, "columns", {}), str(path))
        others = [name for name in cells.columns if name not in found.values()]
        written = {own: found[own] for own in (*COLUMNS, *found) if own in found}
        written |= {name if name not in COLUMNS else f"{name}.2": name for name in others}
        rows = cells.select(
            pl.col(written[own]).cast(pl.String).fill_null("").alias(own)
            if own in written
            else pl.when(pl.col(found["customer"]) == STAR)
            .then(pl.lit(STAR))
            .otherwise(pl.lit(f"{ABSENT[own]:g}" if own != "item" else str(ABSENT[own])))
            .alias(own)
            for own in dict.fromkeys((*COLUMNS, *written))
        )
        return _below_header(rows)

    def read_pairs(self, path: AnyPath) -> ContestText:
        """Lines of a pseudonym and a customer: a guess, or the truth."""
        cells = self._cells(path)
        if cells.width != len(PAIR):
            reason = Text(
                f"{cells.width} column(s) instead of pseudonym and customer",
                f"仮名と顧客の 2 列ではなく {cells.width} 列あります",
            )
            raise input_error(path, reason)
        named = zip(cells.columns, PAIR, strict=True)
        return _below_header(cells.select(pl.col(a).cast(pl.String).alias(b) for a, b in named))

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
            reason = Text(
                f"{text.rows} row(s), but the original has {original.rows}",
                f"{text.rows} 行ありますが、元データは {original.rows} 行です",
            )
            raise input_error(path, reason)
        return parse_general(text.frame, original)

    def _cells(self, path: AnyPath) -> pl.DataFrame:
        said = {name: getattr(self, name) for name in ("sep", "encoding") if hasattr(self, name)}
        return read_cells(path, **said)

    @classmethod
    def require_writable(cls, history: History) -> None:
        """Fail, listing them, if items have names that a file of generalized cells cannot hold."""
        for column in ("item", *history.set_values):
            names = history.members(column)
            bad = names.filter(names.str.contains(cls.reserved) | (names == STAR))
            if len(bad):
                raise cls._unwritable(bad, history.names.get(column, column))

    @classmethod
    def _unwritable(cls, bad: pl.Series, column: str) -> InputError:
        signs = cls.reserved_signs
        reason = Text(
            f"{len(bad)} value(s) of {column} cannot be written in this format: they hold "
            f"{signs.en}, or are '*'. Map them to codes or categories first",
            f"{column} に、この形式で書けない値が {len(bad)} 種類あります ({signs.ja} を含むか、"
            "'*' です)。先にコードかカテゴリーに置き換えてください",
        )
        told = [Text(f"{column} {name!r}", f"{column} {name!r}") for name in bad.head(FAULTS_SHOWN)]
        faults = [Fault(rule="item-name", column=column, message=message) for message in told]
        return InputError(reason, faults=faults, total=len(bad))


def history_layout(format: str, *, dashes: str = "", **options: Any) -> HistoryLayout:
    """The layout of a format with the options given; one that it does not use is refused."""
    return cast(HistoryLayout, layout_of(formats, format, options, dashes=dashes))


def _below_header(rows: pl.DataFrame) -> ContestText:
    lines = np.arange(rows.height) + 2
    return ContestText(rows, np.full(rows.height, rows.width), lines)


@dataclass(frozen=True, kw_only=True)
class HeaderTable(HistoryLayout):
    """`columns`: what the file calls customer, day, item, price, quantity, value1, value2 …

    Days and numbers may be written as people do; `no_normalize` names rules not to apply, or all,
    and `date_order` says which number is the day where no cell decides it.
    """

    name: ClassVar[str] = "table"
    title: ClassVar[Text] = Text("a table with a header", "見出しのある表")
    keeps_names: ClassVar[bool] = True
    on_spark: ClassVar[bool] = True

    columns: Mapping[str, str] = field(default_factory=dict)
    sep: str | None = None
    encoding: str = "auto"
    no_normalize: tuple[str, ...] = ()
    date_order: Literal["", "dmy", "mdy", "ymd"] = ""

    def __post_init__(self) -> None:
        for own in self.columns:
            require_column(own)
        for rule in self.no_normalize:
            if rule not in RULES:
                raise UnknownNameError(Text("rule", "規則"), rule, RULES)

    def read(self, path: AnyPath | Frame) -> History:
        """The purchases in a file or frame; all cells that cannot be read are listed."""
        return self.read_noted(path)[0]

    def read_noted(self, path: AnyPath | Frame) -> tuple[History, list[Text]]:
        """The same, and which columns are not used, and which a history lacks."""
        loaded, where = load_source(path, self.sep, self.encoding), source_name(path)
        found = given_columns(loaded.frame.columns, self.columns, where)
        off = frozenset(self.no_normalize)
        frame, touched = in_plain_form(loaded.frame, found, off, Days(self.date_order))
        how: dict[str, Any] = {**self.columns, "line_of": loaded.line_of}
        history = History.of(frame, where=where, no_normalize=("all",), **how)
        days = [name for own, name in found.items() if history.like.get(own, own) == "day"]
        notes = [*told(touched), *times_left_out(loaded.frame.select(days))]
        left = [name for name in history.frame.columns if name not in history.columns]
        lacking = [own for own in COLUMNS if own not in history.names]
        if left:
            said = ", ".join(left)
            unused = Text(f"Not used and not released: {said}", f"使わず公開もしない列: {said}")
            notes.append(unused)
        if lacking:
            said = ", ".join(lacking)
            kept = Text(
                f"The file has no {said}: the loss counts them as kept",
                f"{said} の列がないため、損失の計算では失われないものとします",
            )
            notes.append(kept)
        return history, notes

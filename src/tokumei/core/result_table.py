"""Results that display as tables in a terminal and in a notebook.

rates = tk.attack(people, release)
rates                  # a table: attack, rate, low, high, baseline
rates["linkage"].rate, rates.best, rates.frame
"""

from __future__ import annotations

import dataclasses
import math
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from itertools import accumulate
from typing import TYPE_CHECKING, Any, TypeVar

from tokumei.core.messages import Message

if TYPE_CHECKING:
    import polars as pl

Result = TypeVar("Result")
_PLAIN_TYPES = (bool, int, float, str)
WIDEST = 120
"""Columns beyond so many places are not shown in a terminal; `frame` has them all."""


class ShownAsTable:
    """A result whose repr is a table; its class says which rows that has.

    A dataclass needs `repr=False`. No row may hold a cell of the data.
    """

    def table_rows(self) -> Iterable[Mapping[str, object]]:
        """The rows of the table: figures and names by column."""
        raise NotImplementedError

    def caption(self) -> Message | None:
        """The caption above the table; None: no caption."""
        return None

    @property
    def frame(self) -> pl.DataFrame:
        """The table as a frame."""
        import polars as pl

        rows = [
            {name: _plain_cell(cell) for name, cell in row.items()} for row in self.table_rows()
        ]
        names = list(dict.fromkeys(name for row in rows for name in row))
        columns = {name: [row.get(name) for row in rows] for name in names}
        return pl.DataFrame(columns, strict=False)

    def _cells(self) -> tuple[list[str], list[list[str]], list[bool]]:
        """The names of the columns, the formatted rows, and which columns hold text."""
        rows = list(self.table_rows())
        names = list(dict.fromkeys(name for row in rows for name in row))
        texts = [any(isinstance(row.get(name), str | Message) for row in rows) for name in names]
        return names, [[_format_cell(row.get(name)) for name in names] for row in rows], texts

    def __repr__(self) -> str:
        names, rows, texts = self._cells()
        grid = [names, *rows] if rows else []
        widths = [max(map(_width, column)) for column in zip(*grid, strict=True)]
        if (shown := _fitting(widths)) < len(widths):
            grid = [[*row[:shown], "…"] for row in grid]
            widths[shown:] = [1]
        lines = ["  ".join(map(_padded, row, widths, texts)).rstrip() for row in grid]
        head = self.caption()
        lines = lines if head is None else [head.show(), *lines]
        return "\n".join(lines) or f"{type(self).__name__}()"

    def _repr_html_(self) -> str:
        names, rows, _ = self._cells()
        head = "".join(f"<th>{escape(name)}</th>" for name in names)
        cells = ("".join(f"<td>{escape(cell)}</td>" for cell in row) for row in rows)
        body = "".join(f"<tr>{row}</tr>" for row in cells)
        above = self.caption()
        top = "" if above is None else f"<caption>{escape(above.show())}</caption>"
        return f"<table>{top}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


class ResultTable(ShownAsTable, dict[str, Result]):
    """A dictionary from method to result whose repr is a table of the figures."""

    first_column = "method"

    def table_rows(self) -> Iterator[dict[str, object]]:
        """A row per method, a column per figure."""
        for name, result in self.items():
            yield {self.first_column: name, **_figures(result)}


class AttackResults(ResultTable[Result]):
    """Results of attacks by name."""

    first_column = "attack"

    @property
    def best(self) -> str:
        """The name of the attack that finds most; where there are several rates, by the first."""
        return max(self, key=lambda name: _first_rate(self[name]))


class MeasureResults(ResultTable[Result]):
    """The figure of each measure."""

    first_column = "measure"


def _figures(result: object) -> dict[str, Any]:
    """The plain figures of a result: its fields, or the values of several scores by name."""
    if isinstance(result, Mapping):
        return {name: getattr(score, "value", score) for name, score in result.items()}
    if not dataclasses.is_dataclass(result):
        return {"value": result}
    return {name: value for name, value in vars(result).items() if isinstance(value, _PLAIN_TYPES)}


def _first_rate(result: object) -> float:
    figures = _figures(result)
    return float(figures.get("rate", next(iter(figures.values()), 0.0)))


def _plain_cell(value: object) -> object:
    return value.show() if isinstance(value, Message) else value


def _format_cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, Message):
        return value.show()
    if isinstance(value, float) and math.isfinite(value) and not value.is_integer():
        return f"{value:.4f}"
    return f"{value:g}" if isinstance(value, float) else str(value)


def _fitting(widths: Sequence[int]) -> int:
    """How many columns have room beside each other, with a sign for those that have not."""
    ends = accumulate(width + 2 for width in widths)
    return sum(end <= WIDEST for end in ends)


def _width(cell: str) -> int:
    """How many places a text takes in a terminal, where wide characters take two."""
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in cell)


def _padded(cell: str, width: int, text: bool) -> str:
    blanks = " " * (width - _width(cell))
    return cell + blanks if text else blanks + cell

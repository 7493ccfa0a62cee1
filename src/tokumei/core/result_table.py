"""Results by method, shown as a table in a terminal and in a notebook.

rates = tk.attack(people, release)
rates                  # a table: attack, rate, low, high, baseline
rates["linkage"].rate, rates.best, rates.frame
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    import polars as pl

Result = TypeVar("Result")
_PLAIN = (bool, int, float, str)


class ResultTable(dict[str, Result]):
    """A dictionary from method to result whose repr is a table of the figures."""

    first_column = "method"

    @property
    def frame(self) -> pl.DataFrame:
        """A row per method, a column per figure."""
        import polars as pl

        return pl.DataFrame(list(self._rows()), infer_schema_length=None)

    def _rows(self) -> Iterator[dict[str, Any]]:
        for name, result in self.items():
            values = vars(result) if dataclasses.is_dataclass(result) else {"value": result}
            plain = {key: one for key, one in values.items() if isinstance(one, _PLAIN)}
            yield {self.first_column: name, **plain}

    def _cells(self) -> tuple[list[str], list[list[str]]]:
        """The names of the columns and the formatted rows; a figure that is not known is empty."""
        rows = list(self._rows())
        names = list(dict.fromkeys(key for row in rows for key in row))
        return names, [[_format_cell(row.get(name)) for name in names] for row in rows]

    def __repr__(self) -> str:
        names, rows = self._cells()
        widths = [max(map(len, column)) for column in zip(names, *rows, strict=True)]
        lines = [
            "  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]).rstrip()
            for row in ([names, *rows] if rows else [])
        ]
        return "\n".join(lines) or f"{type(self).__name__}()"

    def _repr_html_(self) -> str:
        names, rows = self._cells()
        head = "".join(f"<th>{escape(name)}</th>" for name in names)
        cells = ("".join(f"<td>{escape(cell)}</td>" for cell in row) for row in rows)
        body = "".join(f"<tr>{row}</tr>" for row in cells)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


class AttackResults(ResultTable[Result]):
    """What each attack finds."""

    first_column = "attack"

    @property
    def best(self) -> str:
        """The name of the attack that finds most."""
        return max(self, key=lambda name: float(getattr(self[name], "rate", 0.0)))


class MeasureResults(ResultTable[Result]):
    """The figure of each measure."""

    first_column = "measure"


def _format_cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, float) and math.isfinite(value) and not value.is_integer():
        return f"{value:.4f}"
    return f"{value:g}" if isinstance(value, float) else str(value)

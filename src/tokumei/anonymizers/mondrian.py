"""A: k-anonymity by hierarchy-free Mondrian.

Mondrian(k=5).anonymize(table, rng=Randomness())
Mondrian(k=5, cut="median")                               # LeFevre et al. 2006
Mondrian(k=5, order={"size": ["S", "M", "L"]})            # a category that has an order
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
import polars as pl

from tokumei.anonymizers.category_order import ranks
from tokumei.anonymizers.mondrian_kernel import Columns, Cut, Line, Pieces, cut_up
from tokumei.anonymizers.protocol import Step, TableMethod, require_columns
from tokumei.anonymizers.render import class_cells
from tokumei.data.cells import bounds
from tokumei.data.randomness import Randomness
from tokumei.data.release import Claim
from tokumei.data.schema import COLUMN
from tokumei.engine.local import LocalEngine
from tokumei.engine.protocol import Engine, Frequencies
from tokumei.errors import UnknownNameError, UsageError
from tokumei.text import Text

Order = Mapping[str, Sequence[Any]]


@dataclass(frozen=True)
class Mondrian(TableMethod):
    """Every QI vector occurs at least k times: numbers become `[a;b]`, categories `{x;y}`.

    Protects against linking by the QI alone. Sensitive values are untouched: whoever knows them
    still finds the row, and a class whose members share a value gives it away.

    `cut`: where a group is cut in two (see `cut_up`); `order`: the order of a category's values,
    otherwise the most frequent come first. A relaxed cut may put equal tuples into two classes.
    """

    name: ClassVar[str] = "mondrian"
    title: ClassVar[Text] = Text("k-anonymize", "k-匿名化")

    k: int = 5
    cut: Cut = "gain"
    order: Mapping[str, list[Any]] = field(default_factory=dict)

    def change(self, step: Step, *, rng: Randomness) -> Step:
        """Generalize the QI."""
        table, qi = step.table, step.table.schema.qi
        require_k(self.k, table.rows)
        require_columns(self.name, qi, Text("quasi-identifier (QI)", "準識別子"))
        for name in self.order:
            if name not in qi:
                raise UnknownNameError(COLUMN, name, qi, where=f"{self.name}.order")
        frame = k_anonymous(table.frame, qi, self.k, LocalEngine(), cut=self.cut, order=self.order)
        claim = Claim("k-anonymity", {"k": self.k, "columns": list(qi)})
        return Step(table.with_frame(frame), step.link, (*step.claims, claim))


def k_anonymous(
    frame: pl.DataFrame,
    qi: list[str],
    k: int,
    engine: Engine,
    *,
    cut: Cut = "gain",
    order: Order | None = None,
) -> pl.DataFrame:
    """The frame with its QI generalized, on any engine."""
    found = engine.frequencies(frame, qi)
    places = [ranks(found, j, (order or {}).get(name)) for j, name in enumerate(qi)]
    codes = np.column_stack([rank[found.codes[:, j]] for j, rank in enumerate(places)])
    columns = Columns.of([line(found.values[j]) for j in range(len(qi))])
    pieces = cut_up(codes, found.counts, columns, k=k, cut=cut)
    cut_tuples = Frequencies(found.columns, found.values, found.codes[pieces.tuples], pieces.counts)
    cells = {name: class_cells(cut_tuples, j, pieces.classes) for j, name in enumerate(qi)}
    if cut == "relaxed":
        return _by_row(frame, found, pieces, cells, engine)
    changed: pl.DataFrame = engine.recode(frame, found, cells)
    return changed


def line(values: pl.Series) -> Line:
    """Where each value lies between 0 and 1: numbers by value, categories by rank.

    A missing value lies a whole width below the lowest, so that it is cut off first.
    """
    number = values.dtype.is_numeric() or values.dtype.is_temporal()
    at = bounds(values)[0] if number else np.arange(len(values), dtype=np.float64)
    missing = values.null_count()
    known = at[missing:]
    low = known.min(initial=np.inf)
    width = float(known.max(initial=-np.inf) - low) if len(known) else 0.0
    scaled = (at - low) / width if width > 0 else np.zeros(len(values))
    scaled[:missing] = -1.0
    return Line(scaled, 0 if number else len(known), bool(missing))


def require_k(k: int, rows: int) -> None:
    """Fail unless 2 ≤ k ≤ rows."""
    if k < 2:
        raise UsageError(
            Text(f"k must be at least 2, not {k}", f"k は 2 以上でなければなりません ({k})")
        )
    if k > rows:
        raise UsageError(
            Text(
                f"k = {k} is more than the {rows} rows there are",
                f"k = {k} が行数 {rows} を超えています",
            )
        )


def _by_row(
    frame: pl.DataFrame,
    found: Frequencies,
    pieces: Pieces,
    cells: dict[str, pl.Series],
    engine: Engine,
) -> pl.DataFrame:
    """Cells where rows of one tuple may differ: its first rows get its first piece."""
    first = found.columns[0]
    numbered = engine.recode(frame, found, {first: pl.Series(np.arange(len(found.codes)))})
    by_tuple = np.argsort(numbered[first].to_numpy(), kind="stable")
    piece = np.empty(frame.height, dtype=np.int64)
    piece[by_tuple] = np.repeat(np.arange(len(pieces.counts)), pieces.counts)
    return frame.with_columns(**{name: cell.gather(piece) for name, cell in cells.items()})

"""A: k-anonymity by hierarchy-free Mondrian.

Mondrian(k=5).anonymize(table, rng=Randomness())
Mondrian(k=5, cut="median")                               # LeFevre et al. 2006
Mondrian(k=5, order={"size": ["S", "M", "L"]})            # a category that has an order
Mondrian(k=5, conditions=("l=3",))                        # three values of every SA in each class
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
import polars as pl

from tokumei.core.cells import bounds
from tokumei.core.errors import UnknownNameError, UsageError
from tokumei.core.text import Text
from tokumei.kernels.mondrian.kernel import Columns, Cut, Line, Pieces, cut_up
from tokumei.kernels.verdict import NO_CHECKS, Checks
from tokumei.tables.anonymizers.conditions.guard import Guard, GuardedColumn
from tokumei.tables.anonymizers.k_anonymizer import LEFT_OPEN, KAnonymizer, Recoded
from tokumei.tables.anonymizers.mondrian_cells import class_cells, node_cells, ranks, tree_ranks
from tokumei.tables.data.numbers import spannable
from tokumei.tables.data.schema import COLUMN
from tokumei.tables.data.table import Table
from tokumei.tables.engines.local import engine_of
from tokumei.tables.engines.protocol import Frequencies, NewCells
from tokumei.tables.hierarchies.choose import choose_hierarchies
from tokumei.tables.hierarchies.hierarchy import Hierarchy


@dataclass(frozen=True)
class Mondrian(KAnonymizer):
    """Every QI vector occurs at least k times: numbers become `[a;b]`, categories `{x;y}`.

    Protects against linking by the QI alone. Sensitive values are untouched: whoever knows them
    still finds the row; without `conditions`, a class whose members share a value gives it away.

    `cut`: where a group is cut in two (see `cut_up`); `order`: the order of a category's values,
    otherwise the most frequent come first. `hierarchies`: columns of texts whose cells are nodes of
    a hierarchy instead of sets (named as for other methods). A relaxed cut may put equal tuples
    into two classes.
    """

    name: ClassVar[str] = "mondrian"
    title: ClassVar[Text] = Text("Mondrian (k-anonymity)", "Mondrian 法 (k-匿名化)")
    sentence: ClassVar[Text] = Text(
        "Cuts the rows into groups of at least k and publishes ranges and sets instead of "
        "quasi-identifiers.",
        "行を k 行以上のグループに分け、準識別子を範囲や集合にして公開します。",
    )
    leaves_open: ClassVar[Text] = Text(
        f"{LEFT_OPEN.en} Ends of ranges are true values of the class: on Adult (8 QI) they single "
        "out 4,010 of 30,162 people at k = 5; at k = 2 the classes of two rows that differ in one "
        "column show 4,024 people's exact records. With l = 2 and two sensitive values, knowing "
        "the method may make a value certain.",
        f"{LEFT_OPEN.ja}範囲の両端はクラス内の実際の値です。Adult (準識別子 8 列) では、k = 5 で "
        "30,162 人中 4,010 人が端の値で一人に絞られ、k = 2 では 1 列だけが異なる 2 行のクラスから "
        "4,024 人の正確なレコードが分かります。l = 2 で機密属性が 2 値なら、手法を知る人に値が確定"
        "することがあります。",
    )
    unsaid: ClassVar[tuple[str, ...]] = (*KAnonymizer.unsaid, "hierarchies")

    cut: Cut = "gain"
    order: Mapping[str, list[Any]] = field(default_factory=dict)
    hierarchies: Mapping[str, str] = field(default_factory=dict, kw_only=True)

    def recode(self, table: Table, columns: list[GuardedColumn]) -> Recoded:
        """Generalize the QI."""
        frame, qi = table.frame, table.schema.qi
        engine = engine_of(frame)
        self._require_columns(qi)
        if columns and self.cut == "relaxed":
            raise UsageError(
                f"{self.name}: a relaxed cut divides equal rows without looking at their "
                "sensitive values or persons; use cut 'gain' or 'median'",
                f"{self.name}: relaxed は機密属性や個人を見ずに同じ行を分けます。"
                "cut には gain か median を指定してください",
            )
        found = engine.tuples(qi)
        guard = Guard.of(engine, found, columns)
        trees = self.trees(found)
        places = [
            tree_ranks(found, j, trees[name])
            if name in trees
            else ranks(found, j, self.order.get(name))
            for j, name in enumerate(qi)
        ]
        pieces, cells = self.cut_cells(found, places, guard.checks)
        if self.cut == "relaxed":
            return Recoded(_by_row(frame, found, pieces, cells))
        return Recoded(engine.give(NewCells(found, cells)).frame)

    def cut_cells(
        self, found: Frequencies, places: Sequence[np.ndarray], checks: Checks = NO_CHECKS
    ) -> tuple[Pieces, dict[str, pl.Series]]:
        """The pieces of the tuples and their cells; `places[j]`: where column j's codes stand.

        Dictionaries may hold values that no tuple has.
        """
        codes = np.column_stack([rank[found.codes[:, j]] for j, rank in enumerate(places)])
        columns = Columns.of([line(values) for values in found.values])
        pieces = cut_up(codes, found.counts, columns, k=self.k, cut=self.cut, checks=checks)
        parts = Frequencies(found.columns, found.values, found.codes[pieces.tuples], pieces.counts)
        trees = self.trees(found)
        cells = {
            name: node_cells(parts, j, pieces.classes, trees[name])
            if name in trees
            else class_cells(parts, j, pieces.classes)
            for j, name in enumerate(found.columns)
        }
        return pieces, cells

    def trees(self, found: Frequencies) -> dict[str, Hierarchy]:
        """The hierarchies of the columns that have one, over all values of these dictionaries."""
        return {
            name: choose_hierarchies({name: self.hierarchies[name]}, cells.to_frame(name), [name])[
                name
            ]
            for name, cells in zip(found.columns, found.values, strict=True)
            if name in self.hierarchies
        }

    def _require_columns(self, qi: Sequence[str]) -> None:
        for field_name in ("order", "hierarchies"):
            for name in getattr(self, field_name):
                if name not in qi:
                    raise UnknownNameError(COLUMN, name, qi, where=f"{self.name}.{field_name}")


def line(values: pl.Series) -> Line:
    """Where each value lies between 0 and 1: numbers by value, categories by rank.

    A missing value lies a whole width below the lowest, so that it is cut off first; beside known
    ones it costs as much as one value more.
    """
    number = values.dtype.is_numeric() or values.dtype.is_temporal()
    at = bounds(values)[0] if number else np.arange(len(values), dtype=np.float64)
    (at,), missing = spannable(at), values.null_count()
    known = at[missing:]
    low = known.min(initial=np.inf)
    width = float(known.max(initial=-np.inf) - low) if len(known) else 0.0
    scaled = (at - low) / width if width > 0 else np.zeros(len(values))
    scaled[:missing] = -1.0
    gap = 1 / max(len(known) - 1, 1) if missing else 0.0
    return Line(scaled, 0 if number else len(known), gap)


def _by_row(
    frame: pl.DataFrame, found: Frequencies, pieces: Pieces, cells: dict[str, pl.Series]
) -> pl.DataFrame:
    """Cells where rows of one tuple may differ: its first rows get its first piece."""
    assert found.rows is not None
    by_tuple = np.argsort(found.rows, kind="stable")
    piece = np.empty(frame.height, dtype=np.int64)
    piece[by_tuple] = np.repeat(np.arange(len(pieces.counts)), pieces.counts)
    return frame.with_columns(**{name: cell.gather(piece) for name, cell in cells.items()})

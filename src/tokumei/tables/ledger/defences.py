"""Releases that keep what earlier ones claimed: the same classes, none cut small, or unions.

`Again` gives last time's classes to the people who had them; people who are new get classes of
their own. `Apart` cuts anew, but never so that an earlier class falls into parts below k. With
`whole`, classes are unions of earlier ones (nested k). Whose earlier class kept fewer than k cannot
be saved by any recoding: with `wait` their rows are held back, and it is said how many.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
import polars as pl

from tokumei.core.errors import ClaimError, UsageError
from tokumei.core.text import Text
from tokumei.ledger.absent import survivors
from tokumei.tables.anonymizers.conditions.guard import GuardedColumn
from tokumei.tables.anonymizers.k_anonymizer import KAnonymizer, Recoded
from tokumei.tables.anonymizers.mondrian import line
from tokumei.tables.anonymizers.mondrian_cells import class_cells, ranks
from tokumei.tables.data.table import Table
from tokumei.tables.engines.local import engine_of
from tokumei.tables.engines.protocol import Frequencies
from tokumei.tables.ledger.cutting import cut_apart, cut_whole


@dataclass(frozen=True, eq=False)
class Defended(KAnonymizer):
    """Base: who waits, and cells from groups. `earlier` never enters a manifest."""

    earlier: tuple[np.ndarray, ...] = field(default=(), repr=False, kw_only=True)
    """The class of every source row in earlier releases; −1: in none."""
    wait: bool = field(default=False, kw_only=True)
    weights: Mapping[str, float] = field(default_factory=dict, kw_only=True)
    """How much columns matter (default 1)."""

    def groups(self, found: Frequencies, rows: np.ndarray) -> np.ndarray:
        """The class of each of the rows that do not wait; −1: it must wait after all."""
        raise NotImplementedError

    def recode(self, table: Table, columns: list[GuardedColumn]) -> Recoded:
        """Generalize the QI; rows that wait are dropped."""
        if columns:
            raise UsageError(
                f"{self.name}: takes no conditions (l, t, person): classes follow earlier ones",
                f"{self.name}: 条件 (l、t、person) は使えません (以前のクラスに従うため)",
            )
        found = engine_of(table.frame).tuples(table.schema.qi)
        assert found.rows is not None
        stay = np.flatnonzero(~self.stranded()) if self.wait else np.arange(table.rows)
        of = self.groups(found, stay)
        kept, of = stay[of >= 0], of[of >= 0]
        if not len(kept):
            raise ClaimError("nobody is left to release", "公開できる人が残りません")
        parts = Frequencies(
            found.columns, found.values, found.codes[found.rows[kept]], np.ones(len(kept), int)
        )
        cells = {name: class_cells(parts, j, of) for j, name in enumerate(found.columns)}
        whole = {name: _spread(cell, kept, table.rows) for name, cell in cells.items()}
        return Recoded(table.frame.with_columns(**whole), kept)

    def stranded(self) -> np.ndarray:
        """Who was in an earlier class of which fewer than k are here."""
        out = np.zeros(len(self.earlier[0]), dtype=bool)
        for of in self.earlier:
            out |= (of >= 0) & (survivors(of, np.ones(len(of), dtype=bool)) < self.k)
        return out

    def cut(
        self, found: Frequencies, rows: np.ndarray, earlier: list[np.ndarray], *, whole: bool
    ) -> np.ndarray:
        """Groups of some rows, cut top down."""
        assert found.rows is not None
        orders = [ranks(found, j) for j in range(len(found.columns))]
        codes = found.codes[found.rows[rows]]
        places = np.column_stack([rank[codes[:, j]] for j, rank in enumerate(orders)])
        scales = [_scale(found, j, self.weights) for j in range(len(orders))]
        start = np.zeros(len(rows), dtype=np.int64)
        if not whole:
            start = cut_apart(places, scales, earlier=earlier, k=self.k)
        if not earlier:
            return start
        return cut_whole(places, scales, earlier=earlier, k=self.k, groups=start)

    def describe(self) -> list[dict[str, Any]]:
        """The method and k; nothing of who was in which class."""
        weights = {"weights": dict(self.weights)} if self.weights else {}
        return [{"method": self.name, "k": self.k, "wait": self.wait, **weights}]


@dataclass(frozen=True, eq=False)
class Apart(Defended):
    """Cut anew, no earlier class into parts below k; with `whole`, into no parts at all."""

    name: ClassVar[str] = "apart"
    title: ClassVar[Text] = Text("No earlier class falls apart", "以前のクラスを割らない")
    sentence: ClassVar[Text] = Text(
        "Cuts the rows so that of every earlier class both sides have none, all, or at least k.",
        "以前のクラスの人が、どちらの側でも 0 人、全員、または k 人以上になるように分けます。",
    )

    whole: bool = False

    def groups(self, found: Frequencies, rows: np.ndarray) -> np.ndarray:
        """Everyone who does not wait."""
        return self.cut(found, rows, [of[rows] for of in self.earlier], whole=self.whole)


@dataclass(frozen=True, eq=False)
class Again(Defended):
    """Last time's classes; new people get classes of their own, or wait if they are too few."""

    name: ClassVar[str] = "reuse"
    title: ClassVar[Text] = Text("The same classes again", "同じクラスを再び")
    sentence: ClassVar[Text] = Text(
        "Gives people the class they had in an earlier release; new people get classes of their "
        "own.",
        "以前の匿名加工データと同じクラスで公開します。新しい人には別のクラスを作ります。",
    )

    def groups(self, found: Frequencies, rows: np.ndarray) -> np.ndarray:
        """Earlier classes that kept k people; the others wait."""
        before = self.earlier[0][rows]
        enough = survivors(before, np.ones(len(rows), dtype=bool)) >= self.k
        of = np.where((before >= 0) & enough, before, -1)
        new = np.flatnonzero(before < 0)
        if len(new) >= self.k:
            of[new] = int(before.max()) + 1 + self.cut(found, rows[new], [], whole=False)
        _, dense = np.unique(of, return_inverse=True)
        return np.asarray(np.where(of < 0, -1, dense - int((of < 0).any())))


def _spread(cells: pl.Series, rows: np.ndarray, number: int) -> pl.Series:
    """Cells of some rows at their places among all."""
    at = np.zeros(number, dtype=np.int64)
    at[rows] = np.arange(len(rows))
    return cells.gather(at)


def _scale(found: Frequencies, j: int, weights: Mapping[str, float]) -> np.ndarray | float:
    """How far every place of a column lies from the first, times its weight; of sets, a step."""
    values, weight = found.values[j], weights.get(found.columns[j], 1.0)
    if not (values.dtype.is_numeric() or values.dtype.is_temporal()):
        return weight / max(len(values) - values.null_count() - 1, 1)
    at = line(values).positions
    return np.asarray((at - at[0]) * weight)


def held_back(rows: int, of: int) -> Text:
    """What is said of rows that wait, to who releases; the manifest does not tell."""
    return Text(
        f"{rows} of {of} rows wait: fewer than k of their earlier class are left, or they are new "
        "and too few",
        f"{of} 行中 {rows} 行を見送りました (以前のクラスの残りが k 人未満か、新しい人が少なすぎる"
        "ため)",
    )

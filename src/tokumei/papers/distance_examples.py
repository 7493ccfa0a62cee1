"""The worked examples of paper 003: four rows, attacked and anonymized; its names of methods."""

from __future__ import annotations

from functools import partialmethod
from typing import Any

import numpy as np
import polars as pl

from tokumei.core.randomness import Randomness
from tokumei.core.text import Text
from tokumei.papers.case import Case
from tokumei.papers.printed import Printed
from tokumei.papers.verdict import EXACT, FORM, Beside, Found
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.data.guess import Knowledge
from tokumei.tables.data.table import Table
from tokumei.tables.flow import anonymize
from tokumei.tables.registry import anonymizers, attackers, measures
from tokumei.tables.suite import attack_suite

QI, SA = ("QI1", "QI2", "QI3"), ("SA1", "SA2")
GROUPS = (1, 1, 2, 2)
METHODS = {
    "DA": "mondrian",
    "DB": "noise",
    "DC": "yamaoka",
    "DD": "unify",
    "DE": "unify",
    "DF": "microaggregate",
    "DG": "swap",
    "DH": "delete",
}


class DistanceExamples(Case):
    """Tables 1 to 9."""

    def table1(self) -> Found:
        """Measures and attacks, all of which are here under these keys."""
        rows = []
        for key, _, _ in self.printed("table1").rows:
            here = key in measures.names() or key in attackers.names()
            rows.append([key if here else "", None, None])
        return Found(rows)

    # The example, of which the next tables are made; teams.
    table2a = table6 = Case.shown

    def table2b(self) -> Found:
        """The example with noise, attacked in the file's order."""
        told = self.printed("table2b").entry["computed"]
        x, b = (_table(self.printed(name)) for name in ("table2a", "table2b"))
        known, seen = (one.frame.select(SA).to_numpy().astype(float) for one in (x, b))
        case = Comparison(x, b, np.arange(4))
        rate = attack_suite(case, ["E3"], rng=Randomness(1), as_is=True, expected=True)["E3"].rate
        ours = {
            "distance_b1_a1": float(np.linalg.norm(seen[0] - known[0])),
            "distance_b1_a2": float(np.linalg.norm(seen[0] - known[1])),
            "order_X": _ranked(known),
            "sums_X": _sums(known),
            "order_B": _ranked(seen),
            "sums_B": _sums(seen),
            "E3": rate,
        }
        limits = {"distance_b1_a1": 0.0005, "distance_b1_a2": 0.05}
        return Found(
            beside=[
                Beside(Text(name, name), value, ours[name], limits.get(name, EXACT))
                for name, value in told.items()
            ]
        )

    def table3(self) -> Found:
        """The example with one QI made the same: the method `unify`."""
        printed = self.printed("table3")
        x = _table(self.printed("table2a"))
        made = anonymize(x, "unify", columns=["QI3"], value="1", seed=1, keep_order=True)
        rows = made.public.frame.select(printed.columns).rows()
        return Found([list(map(_whole, row)) for row in rows])

    def table4(self) -> Found:
        """What EUC1 and EUC2 answer where no QI vector is the same."""
        x, d = (_table(self.printed(name)) for name in ("table2a", "table3"))
        answers = {
            name: attackers.build(name).attack(d, Knowledge(x), rng=Randomness(1))
            for name in ("EUC1", "EUC2")
        }
        told = Text("rows 3 and 4", "3・4 行目の答え")
        return Found(
            beside=[
                Beside(Text(f"{name}: {told.en}", f"{name}: {told.ja}"), [3, 4], _answers(guess))
                for name, guess in answers.items()
            ]
        )

    def _index(self, table: str) -> Found:
        """The index of QI vectors."""
        frame = _table(self.printed(table)).frame.with_row_index("row", offset=1)
        groups = frame.group_by(QI, maintain_order=True).agg("row")
        rows = [[f"({','.join(map(str, key))})", found] for *key, found in groups.iter_rows()]
        return Found(rows)

    table5_1 = partialmethod(_index, "table2a")
    table5_2 = partialmethod(_index, "table3")

    def table7(self) -> Found:
        """The eight methods, which are here under these names."""
        rows = [
            [name if METHODS[name] in anonymizers.names() else "", None, None]
            for name in self.printed("table7").column("release")
        ]
        en = ", ".join(f"{name} {method}" for name, method in METHODS.items())
        return Found(rows, note=Text(f"Here: {en}.", f"ここでの名前: {en}。"))

    def table8(self) -> Found:
        """The example, every class replaced by its means."""
        made = self._example("microaggregate")
        return Found([[group, *map(_whole, row)] for group, row in zip(GROUPS, made, strict=True)])

    def table9(self) -> Found:
        """The example swapped: a draw, but every class keeps its values."""
        printed = self.printed("table9")
        made = self._example("swap")
        beside = [
            Beside(
                Text(f"values of {column} in class {group}", f"クラス {group} の {column} の値"),
                sorted(row[at + 1] for row in printed.rows if row[0] == group),
                sorted(row[at] for row, own in zip(made, GROUPS, strict=True) if own == group),
            )
            for group in (1, 2)
            for at, column in ((3, "SA1"), (4, "SA2"))
        ]
        rows = [[group, *row] for group, row in zip(GROUPS, made, strict=True)]
        return Found(rows, tolerance={"SA1": FORM, "SA2": FORM}, beside=beside)

    def _example(self, method: str) -> list[tuple[Any, ...]]:
        x = _table(self.printed("table2a"))
        made = anonymize(x, method, seed=1, keep_order=True).public.frame
        rows: list[tuple[Any, ...]] = made.select(*QI, *SA).rows()
        return rows


def _table(printed: Printed) -> Table:
    """The example as a table."""
    frame = pl.DataFrame(
        [list(row) for row in printed.rows], schema=list(printed.columns), orient="row"
    )
    return Table.of(frame, qi=list(QI), sa=list(SA))


def _whole(value: Any) -> Any:
    """A whole number as such; a category's text as its number."""
    return int(float(value))


def _sums(values: np.ndarray) -> list[int]:
    return sorted(int(total) for total in values.sum(axis=1))


def _ranked(values: np.ndarray) -> list[int]:
    return [int(place) + 1 for place in np.argsort(values.sum(axis=1), kind="stable")]


def _answers(guess: Any) -> list[int]:
    rows = guess.draw(np.random.default_rng(1))
    return [int(row) + 1 for row in rows[2:]]

"""The worked examples of paper 003: four rows, attacked and anonymized; its names of methods."""

from __future__ import annotations

from functools import partialmethod

import numpy as np
import polars as pl

from tokumei.apps.papers.comparison import ComputedBlock, StatedValue
from tokumei.apps.papers.headings import describe_heading
from tokumei.apps.papers.published_values import PublishedBlock
from tokumei.apps.papers.reproduction import PaperReproduction, printed_only
from tokumei.core.messages import Message
from tokumei.core.randomness import Randomness
from tokumei.tables.data.guess import Guess, Knowledge
from tokumei.tables.data.table import Table
from tokumei.tables.flow import anonymize
from tokumei.tables.registry import attackers, measures

QI, SA = ("QI1", "QI2", "QI3"), ("SA1", "SA2")
ROW_GROUPS = (1, 1, 2, 2)
ANSWERS: dict[tuple[int, ...], str] = {
    (3, 4): "the row's own number i",
    (4, 3): "nearest SA vector in all of X",
}
"""What answers for rows 3 and 4 mean where rows 3 and 4 of X have changed places."""


class DistanceExamples(PaperReproduction):
    """Tables 1 to 9."""

    def table1(self) -> ComputedBlock:
        """Measures and attacks under these keys, and which columns each of them needs."""
        rows = []
        for key, _, _ in self.published_block("table1").rows:
            kinds = [kind for kind in (measures, attackers) if key in kind.names()]
            needs = [getattr(kind.get(key), "needs", ()) for kind in kinds]
            columns = " ".join(name.upper() for names in needs for name in names)
            rows.append([key if kinds else "", None, columns or "rows"])
        return ComputedBlock(rows)

    table2a = printed_only(Message("The example, of which the next tables are made."))
    table6 = printed_only(Message("Who made the releases, and what place they came in."))

    def table2b(self) -> ComputedBlock:
        """The example with noise: distances, orders, and whom each attack takes."""
        published = self.published_block("table2b").entry["computed"]
        x, b = (_to_table(self.published_block(name)) for name in ("table2a", "table2b"))
        original_values, noisy_values = (
            table.frame.select(SA).to_numpy().astype(float) for table in (x, b)
        )
        guess = _attack_example("E1", x, b)
        start, end = guess.start[guess.group[0]], guess.start[guess.group[0] + 1]
        computed = {
            "distance_b1_a1": float(np.linalg.norm(noisy_values[0] - original_values[0])),
            "distance_b1_a2": float(np.linalg.norm(noisy_values[0] - original_values[1])),
            "order_X": _rank_by_sum(original_values),
            "sums_X": _sorted_row_sums(original_values),
            "order_B": _rank_by_sum(noisy_values),
            "sums_B": _sorted_row_sums(noisy_values),
            "E1_candidates_b1": [int(row) + 1 for row in guess.rows[start:end]],
            "E2_b1": _answer_example("E2", x, b, row=0, column="SA1"),
            "E4_b2": _answer_example("E4", x, b, row=1, column="SA1"),
            "EUC1_b1": _answer_example("EUC1", x, b, row=0),
        }
        return ComputedBlock(
            beside=[
                StatedValue(describe_heading(name), value, computed[name])
                for name, value in published.items()
            ],
            why=Message("The example's cells are what the paper puts in."),
        )

    def table3(self) -> ComputedBlock:
        """The example with one QI made the same: the method `unify`."""
        printed = self.published_block("table3")
        x = _to_table(self.published_block("table2a"))
        release = anonymize(x, "unify", columns=["QI3"], value="1", seed=1, keep_order=True)
        rows = release.public.frame.select(printed.columns).rows()
        return ComputedBlock([list(map(_to_whole_number, row)) for row in rows])

    def table4(self) -> ComputedBlock:
        """What EUC1 and EUC2 answer where no QI vector is the same, X's last rows exchanged."""
        x, d = (_to_table(self.published_block(name)) for name in ("table2a", "table3"))
        exchanged = x.take(np.array([0, 1, 3, 2]))
        answers = {
            name: [_answer_example(name, exchanged, d, row=row) for row in (2, 3)]
            for name in ("EUC1", "EUC2")
        }
        rows = [
            [None, ANSWERS.get(tuple(answers[name]), "")]
            for name in self.published_block("table4").column("attack")
        ]
        return ComputedBlock(rows)

    def _qi_index_block(self, table: str) -> ComputedBlock:
        """The index of QI vectors."""
        frame = _to_table(self.published_block(table)).frame.with_row_index("row", offset=1)
        groups = frame.group_by(QI, maintain_order=True).agg("row")
        rows = [
            [f"({', '.join(map(str, key))})", row_numbers]
            for *key, row_numbers in groups.iter_rows()
        ]
        return ComputedBlock(rows)

    table5_1 = partialmethod(_qi_index_block, "table2a")
    table5_2 = table5_3 = partialmethod(_qi_index_block, "table3")

    def table8(self) -> ComputedBlock:
        """The example, every class replaced by its means."""
        released_rows = self._anonymize_example("microaggregate")
        return ComputedBlock([[None, *map(_to_whole_number, row)] for row in released_rows])

    def table9(self) -> ComputedBlock:
        """The example swapped: a draw, but every class keeps its values."""
        printed = self.published_block("table9")
        released_rows = self._anonymize_example("swap")
        stated = [
            StatedValue(
                Message("values of {column} in class {group}", column=column, group=group),
                sorted(row[column_index + 1] for row in printed.rows if row[0] == group),
                sorted(
                    row[column_index]
                    for row, row_group in zip(released_rows, ROW_GROUPS, strict=True)
                    if row_group == group
                ),
            )
            for group in (1, 2)
            for column_index, column in ((3, "SA1"), (4, "SA2"))
        ]
        rows = [[None, *row[:3], None, None] for row in released_rows]
        why = Message("Which values change places is a draw; every class keeps its values.")
        return ComputedBlock(rows, beside=stated, why=why)

    def _anonymize_example(self, method: str) -> list[tuple[int | float | str, ...]]:
        x = _to_table(self.published_block("table2a"))
        released = anonymize(x, method, seed=1, keep_order=True).public.frame
        rows: list[tuple[int | float | str, ...]] = released.select(*QI, *SA).rows()
        return rows


def _to_table(printed: PublishedBlock) -> Table:
    """The example as a table."""
    frame = pl.DataFrame(
        [list(row) for row in printed.rows], schema=list(printed.columns), orient="row"
    )
    return Table.of(frame, qi=list(QI), sa=list(SA))


def _to_whole_number(value: str | float) -> int:
    """A whole number as such; a category's text as its number."""
    return int(float(value))


def _sorted_row_sums(values: np.ndarray) -> list[int]:
    return sorted(int(total) for total in values.sum(axis=1))


def _rank_by_sum(values: np.ndarray) -> list[int]:
    return [int(place) + 1 for place in np.argsort(values.sum(axis=1), kind="stable")]


def _attack_example(name: str, x: Table, release: Table, **params: object) -> Guess:
    guess: Guess = attackers.build(name, params).attack(release, Knowledge(x), rng=Randomness(1))
    return guess


def _answer_example(name: str, x: Table, release: Table, *, row: int, **params: object) -> int:
    """The row, from 1, that an attack takes for a released row."""
    rows = _attack_example(name, x, release, **params).draw(np.random.default_rng(1))
    return int(rows[row]) + 1

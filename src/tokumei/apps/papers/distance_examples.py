"""The worked examples of paper 003: four rows, attacked and anonymized; its names of methods."""

from __future__ import annotations

from functools import partialmethod

import numpy as np
import polars as pl

from tokumei.apps.papers.comparison import EXACT, FORM_ONLY, ComputedBlock, StatedValue
from tokumei.apps.papers.published_values import PublishedBlock
from tokumei.apps.papers.reproduction import PaperReproduction
from tokumei.core.messages import Message
from tokumei.core.randomness import Randomness
from tokumei.tables.data.guess import Guess, Knowledge
from tokumei.tables.data.table import Table
from tokumei.tables.flow import anonymize
from tokumei.tables.registry import anonymizers, attackers, measures
from tokumei.tables.services.attack import attack_table
from tokumei.tables.services.comparison_requests import AttackTableRequest, ComparisonRequest

QI, SA = ("QI1", "QI2", "QI3"), ("SA1", "SA2")
ROW_GROUPS = (1, 1, 2, 2)
RELEASE_METHODS = {
    "DA": "mondrian",
    "DB": "noise",
    "DC": "yamaoka",
    "DD": "unify",
    "DE": "unify",
    "DF": "microaggregate",
    "DG": "swap",
    "DH": "delete",
}


class DistanceExamples(PaperReproduction):
    """Tables 1 to 9."""

    def table1(self) -> ComputedBlock:
        """Measures and attacks, all of which are here under these keys."""
        rows = []
        for key, _, _ in self.published_block("table1").rows:
            is_registered = key in measures.names() or key in attackers.names()
            rows.append([key if is_registered else "", None, None])
        return ComputedBlock(rows)

    # The example, of which the next tables are made; teams.
    table2a = table6 = PaperReproduction.nothing_computed

    def table2b(self) -> ComputedBlock:
        """The example with noise, attacked in the file's order."""
        published = self.published_block("table2b").entry["computed"]
        x, b = (_to_table(self.published_block(name)) for name in ("table2a", "table2b"))
        original_values, noisy_values = (
            table.frame.select(SA).to_numpy().astype(float) for table in (x, b)
        )
        request = AttackTableRequest(
            comparison=ComparisonRequest(original=x, release=b, link=np.arange(4)),
            methods=("E3",),
            as_is=True,
            expected=True,
        )
        rate = attack_table(request).rates["E3"].rate
        computed = {
            "distance_b1_a1": float(np.linalg.norm(noisy_values[0] - original_values[0])),
            "distance_b1_a2": float(np.linalg.norm(noisy_values[0] - original_values[1])),
            "order_X": _rank_by_sum(original_values),
            "sums_X": _sorted_row_sums(original_values),
            "order_B": _rank_by_sum(noisy_values),
            "sums_B": _sorted_row_sums(noisy_values),
            "E3": rate,
        }
        limits = {"distance_b1_a1": 0.0005, "distance_b1_a2": 0.05}
        return ComputedBlock(
            beside=[
                StatedValue(Message.verbatim(name), value, computed[name], limits.get(name, EXACT))
                for name, value in published.items()
            ]
        )

    def table3(self) -> ComputedBlock:
        """The example with one QI made the same: the method `unify`."""
        printed = self.published_block("table3")
        x = _to_table(self.published_block("table2a"))
        release = anonymize(x, "unify", columns=["QI3"], value="1", seed=1, keep_order=True)
        rows = release.public.frame.select(printed.columns).rows()
        return ComputedBlock([list(map(_to_whole_number, row)) for row in rows])

    def table4(self) -> ComputedBlock:
        """What EUC1 and EUC2 answer where no QI vector is the same."""
        x, d = (_to_table(self.published_block(name)) for name in ("table2a", "table3"))
        answers = {
            name: attackers.build(name).attack(d, Knowledge(x), rng=Randomness(1))
            for name in ("EUC1", "EUC2")
        }
        return ComputedBlock(
            beside=[
                StatedValue(
                    Message("{attack}: rows 3 and 4", attack=name),
                    [3, 4],
                    _guessed_rows(guess),
                )
                for name, guess in answers.items()
            ]
        )

    def _qi_index_block(self, table: str) -> ComputedBlock:
        """The index of QI vectors."""
        frame = _to_table(self.published_block(table)).frame.with_row_index("row", offset=1)
        groups = frame.group_by(QI, maintain_order=True).agg("row")
        rows = [
            [f"({','.join(map(str, key))})", row_numbers]
            for *key, row_numbers in groups.iter_rows()
        ]
        return ComputedBlock(rows)

    table5_1 = partialmethod(_qi_index_block, "table2a")
    table5_2 = partialmethod(_qi_index_block, "table3")

    def table7(self) -> ComputedBlock:
        """The eight methods, which are here under these names."""
        rows = [
            [name if RELEASE_METHODS[name] in anonymizers.names() else "", None, None]
            for name in self.published_block("table7").column("release")
        ]
        methods = ", ".join(f"{name} {method}" for name, method in RELEASE_METHODS.items())
        return ComputedBlock(rows, note=Message("Here: {methods}.", methods=methods))

    def table8(self) -> ComputedBlock:
        """The example, every class replaced by its means."""
        released_rows = self._anonymize_example("microaggregate")
        return ComputedBlock(
            [
                [group, *map(_to_whole_number, row)]
                for group, row in zip(ROW_GROUPS, released_rows, strict=True)
            ]
        )

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
        rows = [[group, *row] for group, row in zip(ROW_GROUPS, released_rows, strict=True)]
        return ComputedBlock(rows, tolerance={"SA1": FORM_ONLY, "SA2": FORM_ONLY}, beside=stated)

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


def _guessed_rows(guess: Guess) -> list[int]:
    rows = guess.draw(np.random.default_rng(1))
    return [int(row) + 1 for row in rows[2:]]

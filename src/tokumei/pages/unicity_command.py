"""Base class of `tokumei unicity` for every kind of history."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from tokumei.core.command import Command, CommandResult, TextTable, option
from tokumei.core.messages import Message
from tokumei.core.shared_options import out_folder_option, refuse_overwriting_inputs, seed_option

if TYPE_CHECKING:
    from collections.abc import Sequence

    import polars as pl

    from tokumei.kernels.unicity.unicity import Unicity

RESULT_FILES = ("unicity.csv", "unicity.json", "unicity.svg", "report.html")


@dataclass(frozen=True, kw_only=True)
class UnicityCommand(Command):
    """Measure unicity."""

    about: ClassVar = Message(
        "The share of customers singled out by p known points: p different points are drawn from "
        "each customer who has that many; the customer is singled out if nobody else has all of "
        "them. --by says what is known of a purchase: day, week or month, item, item:2 (its first "
        "two characters), or any other column."
    )

    points: tuple[int, ...] = option("how many points: 1-4 or 1,2,8", default=(1, 2, 3, 4))
    by: list[str] = option(
        "what is known: item,day (repeat for several; default: five granularities)", default=[]
    )
    draws: int = option("draws per customer", default=20, least=1)
    out: str | None = out_folder_option()
    seed: int | None = seed_option()

    def purchases(self) -> tuple[pl.DataFrame, list[Message]]:
        """Customer, day and what else there is, a row per purchase; and remarks."""
        raise NotImplementedError

    def spare(self, data: str) -> None:
        """Fail if a result would replace the history."""
        if self.out is not None:
            refuse_overwriting_inputs((data,), tuple(f"{self.out}/{name}" for name in RESULT_FILES))

    def answer(self) -> CommandResult:
        """Draw, count, and write what came out."""
        from tokumei.files.atomic_write import write_all
        from tokumei.files.release_files import make_folder
        from tokumei.kernels.unicity.unicity import DEFAULT_GRANULARITIES, unicity
        from tokumei.pages.unicity_report import unicity_outputs

        rows, notes = self.purchases()
        results = unicity(
            rows,
            self.by or DEFAULT_GRANULARITIES,
            points=self.points,
            draws=self.draws,
            seed=self.seed,
        )
        if self.out is not None:
            write_all(unicity_outputs(results, make_folder(self.out)))
        data = {"shares": [result.as_json() for result in results]}
        return CommandResult(data, [_unicity_table(results)], notes)


def _unicity_table(results: Sequence[Unicity]) -> TextTable:
    result_by_point = {(result.by, result.points): result for result in results}
    steps = sorted({result.points for result in results})
    rows = [
        [
            by,
            *(
                f"{result_by_point[by, p].share:.4f}" if (by, p) in result_by_point else "–"
                for p in steps
            ),
        ]
        for by in dict.fromkeys(result.by for result in results)
    ]
    title = Message("Customers singled out by p known points")
    return TextTable(title, ["", *(f"p = {p}" for p in steps)], rows)

"""`tokumei sweep` of a table: loss and risk of a method over k."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from tokumei.core.command import CommandResult, chosen_methods, command_options, option
from tokumei.core.messages import Message
from tokumei.core.shared_options import (
    attacks_option,
    k_option,
    measures_option,
    out_folder_option,
    refuse_overwriting_with_results,
    seed_option,
    swept_methods_option,
    swept_set_option,
)
from tokumei.tables.commands.table_source import TableSourceCommand

if TYPE_CHECKING:
    from tokumei.core.sweep import Sweep


@dataclass(frozen=True, kw_only=True)
class SweepTable(TableSourceCommand):
    """Sweep over k."""

    about: ClassVar = Message(
        "Tables: anonymize with every k; the loss is a measure (--loss), the risk what the "
        "strongest attack finds. With --out also CSV, JSON, chart and report. `tokumei choose` "
        "tells which k to take."
    )
    examples: ClassVar = (
        "tokumei sweep --data x.csv --qi age,sex --sa income --method mondrian --k 2,5,10",
    )
    distinguishing_options: ClassVar = ("qi", "sa")

    method: tuple[str, ...] = swept_methods_option(default=("mondrian",))
    k: tuple[int, ...] = k_option()
    set: dict[str, object] = swept_set_option()
    measures: tuple[str, ...] = measures_option()
    attacks: tuple[str, ...] = attacks_option()
    loss: str = option("tables: the loss to plot", default="gcp_sets")
    out: str | None = out_folder_option()
    seed: int | None = seed_option()

    @classmethod
    def recognizes(cls, format: str | None, given: Mapping[str, object]) -> str:
        """A file whose first line is names, and not those of a history."""
        from tokumei.files.reading import read_header_names
        from tokumei.tables.services.read_comparison import PURCHASE_COLUMNS

        if not {*given} <= {*command_options(cls)} or "data" not in given:
            return ""
        sep = given.get("sep")
        names = read_header_names(str(given["data"]), sep=sep if isinstance(sep, str) else None)
        return "table" if names and not {*PURCHASE_COLUMNS} <= {*names} else ""

    @classmethod
    def methods(cls, given: Mapping[str, object]) -> Mapping[str, type[object]]:
        """The chosen methods, whose fields are options."""
        from tokumei.tables.registry import anonymizers

        names = chosen_methods(given, anonymizers.names())
        return {name: anonymizers.get(name) for name in names}

    def answer(self) -> CommandResult:
        """Sweep, write, and say what is best."""
        from tokumei.core.shared_options import sweep_params_by_method
        from tokumei.pages.sweep_report import sweep_result
        from tokumei.tables.kind import TABLES
        from tokumei.tables.services.sweep import SweepTableRequest, sweep_table

        refuse_overwriting_with_results((self.data,), self.out)
        swept = sweep_table(
            SweepTableRequest(
                table=self.request,
                values=self.k,
                params=sweep_params_by_method(TABLES, self.method, self.set),
                loss=self.loss,
                measures=self.measures,
                attacks=self.attacks,
                seed=self.seed,
            )
        )
        self._write_files(swept.sweeps)
        return sweep_result(swept.sweeps, swept.notes)

    def _write_files(self, sweeps: list[Sweep]) -> None:
        from tokumei.files.atomic_write import write_all
        from tokumei.files.release_files import make_folder
        from tokumei.tables.report.sweep_page import sweep_outputs

        if self.out is not None:
            write_all(sweep_outputs(sweeps, make_folder(self.out)))

"""`tokumei risk`: re-identification risk of a table, and the columns that cause it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from tokumei.core.command import Command, CommandResult, option
from tokumei.core.errors import UsageError
from tokumei.core.language import current_language
from tokumei.core.messages import Message
from tokumei.core.shared_options import (
    encoding_option,
    refuse_overwriting_inputs,
    require_suffix,
    sep_option,
)
from tokumei.tables.commands.options import kind_option, qi_option


@dataclass(frozen=True, kw_only=True)
class AssessTableRisk(Command):
    """Measure the risk of a table."""

    about: ClassVar = Message(
        "Risk of a table, original or released: prosecutor, journalist and marketer; uniques in "
        "the table and (with a population) estimated beyond it; which columns single people out, "
        "by themselves and together."
    )
    examples: ClassVar = (
        "tokumei risk --data x.csv --qi age,sex,zip --population 1000000 --out risk.html",
    )

    data: str = option("the table")
    qi: tuple[str, ...] | None = qi_option()
    kind: dict[str, str] = kind_option()
    person: str | None = option(
        "count people, told apart by this column (none: every row is another person)", default=None
    )
    population: int | None = option("people in the population", default=None, least=1)
    population_file: str | None = option(
        "table of the population, generalized in the same way", default=None
    )
    sample_fraction: float | None = option("share of the population in the table", default=None)
    threshold: float = option("chance above which a row counts as at risk", default=0.2)
    max_size: int = option("most columns in a set", default=3, least=1)
    rule: Literal["bracket", "dankar"] = option("how the estimator is chosen", default="bracket")
    most: int = option("lines per table", default=10, least=1)
    out: str | None = option("report to write: .html", default=None)
    sep: str | None = sep_option()
    encoding: str = encoding_option()

    def answer(self) -> CommandResult:
        """Read, measure, and write the report."""
        from tokumei.files.writing import write_text
        from tokumei.tables.commands.risk_text_tables import format_risk_tables
        from tokumei.tables.services.risk import RiskTableRequest, measure_table_risk

        self._require_valid_options()
        measured = measure_table_risk(
            RiskTableRequest(
                data=self.data,
                qi=self.qi,
                kind=self.kind,
                person=self.person,
                population=self.population,
                population_file=self.population_file,
                sample_fraction=self.sample_fraction,
                threshold=self.threshold,
                max_size=self.max_size,
                rule=self.rule,
                sep=self.sep,
                encoding=self.encoding,
            )
        )
        result, notes = measured.risk, [*measured.notes]
        if self.out is not None:
            from tokumei.tables.report.risk_page import render_risk_report

            write_text(render_risk_report(result, lang=current_language()), self.out)
            notes.append(Message("Report: {out}", out=self.out))
        parts = format_risk_tables(result, most=self.most)
        return CommandResult({"out": self.out, **result.as_json()}, parts, notes)

    def _require_valid_options(self) -> None:
        refuse_overwriting_inputs((self.data, self.population_file), (self.out,))
        require_suffix(self.out, ".html")
        if self.population is not None and self.population_file is not None:
            raise UsageError("give --population or --population-file, not both")

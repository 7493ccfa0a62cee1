"""`tokumei diagnose`: identifies the methods that made a release."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from tokumei.core.command import CommandResult, TextTable, option
from tokumei.core.messages import Message, join_messages
from tokumei.core.shared_options import (
    encoding_option,
    original_option,
    release_option,
    seed_option,
    sep_option,
)
from tokumei.tables.commands.options import (
    ComparisonCommand,
    cross_option,
    label_hierarchies_option,
    qi_option,
    sa_option,
    truth_option,
)

if TYPE_CHECKING:
    from tokumei.tables.diagnosis.diagnose import Diagnosis

NO_LINK_WARNING = Message(
    "WARNING: the rows are not in the order of the original, and no link was given. Whether a link "
    "was permuted (C, Yamaoka) cannot be told, nor the information loss (U5) and the attack rates, "
    "which compare linked rows: give the link with --truth. Signs of noise, averaging and swaps "
    "(B, F, G) are judged by the most likely link; the other findings need none."
)


@dataclass(frozen=True, kw_only=True)
class DiagnoseTable(ComparisonCommand):
    """Diagnose a release."""

    about: ClassVar = Message(
        "Tell which of the methods A–H were used, with the evidence, and show the expected effects "
        "(○ △ × −) beside the measured ones."
    )
    examples: ClassVar = (
        "tokumei diagnose --original x.csv --release y.csv --truth link.csv --qi age,sex "
        "--sa income",
    )

    original: str = original_option()
    release: str = release_option()
    truth: str | None = truth_option()
    hierarchies: str | None = label_hierarchies_option()
    qi: tuple[str, ...] | None = qi_option()
    sa: tuple[str, ...] | None = sa_option()
    cross: tuple[str, ...] | None = cross_option()
    harm: float = option("loss above this share is ×", default=0.05, least=0)
    times: float = option(
        "an attack more than this many times better than a blind guess is ×", default=3.0, least=0
    )
    symbols: Literal["chance", "paper"] = option(
        "attacks against chance, or the fixed limits of the paper's Table 13 (0, .01, .1)",
        default="chance",
    )
    sep: str | None = sep_option()
    encoding: str = encoding_option()
    seed: int | None = seed_option()

    def answer(self) -> CommandResult:
        """Compare, and say what was found."""
        from tokumei.tables.services.comparison_requests import DiagnoseTableRequest
        from tokumei.tables.services.diagnose import diagnose_table

        diagnosed = diagnose_table(
            DiagnoseTableRequest(
                comparison=self.comparison,
                harm=self.harm,
                times=self.times,
                paper=self.symbols == "paper",
                seed=self.seed,
            )
        )
        diagnosis = diagnosed.diagnosis
        notes = [*diagnosed.notes, *([NO_LINK_WARNING] if diagnosis.untold else [])]
        return CommandResult(diagnosis.as_json(), _format_diagnosis(diagnosis), notes)


def _format_diagnosis(diagnosis: Diagnosis) -> list[TextTable | Message]:
    from tokumei.tables.diagnosis.effect_symbols import METHOD_TITLES

    parts: list[TextTable | Message] = []
    if not diagnosis.methods:
        parts.append(Message("No trace of any method was found."))
    for item in diagnosis.evidence:
        title = METHOD_TITLES[item.method]
        parts.append(
            Message(
                "{method}: {title}: {evidence}", method=item.method, title=title, evidence=item.text
            )
        )
    if diagnosis.inferred:
        by_symbols = join_messages(diagnosis.inferred)
        parts.append(
            Message("By the symbols alone (paper's Table 13): {methods}", methods=by_symbols)
        )
    rows = [[e.measure, e.expected, e.measured, f"{e.value:,.6g}"] for e in diagnosis.effects]
    header: list[Message | str] = ["", Message("paper"), Message("here"), Message("value")]
    parts.append(TextTable(Message("Effects (paper's Table 10)"), header, rows))
    return [*parts, *_missing_cells_table(diagnosis)]


def _missing_cells_table(diagnosis: Diagnosis) -> list[TextTable]:
    header: list[Message | str] = [
        "",
        Message("original"),
        Message("release"),
        Message("newly missing"),
        Message("no longer"),
    ]
    rows = [[counts.column, *(f"{part:,}" for part in counts[1:])] for counts in diagnosis.gaps]
    return [TextTable(Message("Missing cells"), header, rows)] if rows else []

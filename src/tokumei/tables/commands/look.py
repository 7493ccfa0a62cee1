"""`tokumei look`: profiles each column of a file, and lists the decisions it needs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from tokumei.core.command import Command, CommandResult, option
from tokumei.core.errors import InputError, UsageError
from tokumei.core.language import current_language
from tokumei.core.messages import Message
from tokumei.core.shared_options import (
    encoding_option,
    refuse_overwriting_inputs,
    require_suffix,
    sep_option,
)
from tokumei.tables.commands.options import (
    date_order_option,
    header_row_option,
    sheet_option,
    strict_option,
    two_digit_years_option,
)

if TYPE_CHECKING:
    from tokumei.core.scenario import Scenario
    from tokumei.tables.profiling.profile import TableProfile


@dataclass(frozen=True, kw_only=True)
class ProfileTable(Command):
    """Look at a file."""

    about: ClassVar = Message(
        "Profile a file: how it is written, what every column means and why, personal data inside "
        "texts, what would be normalized, the decisions it needs from you, and the next command. "
        "Shows shapes, never values; writes nothing unless asked."
    )
    examples: ClassVar = (
        "tokumei look customers.csv",
        "tokumei look 顧客台帳.xlsx --sheet 名簿 --out look.html --save",
    )

    file: str = option("the file", positional=True)
    sheet: str | None = sheet_option()
    header_row: str | None = header_row_option()
    encoding: str = encoding_option()
    encoding_errors: str = option(
        "replace: bytes that cannot be read become a mark, and are counted", default="strict"
    )
    sep: str | None = sep_option()
    rows: str = option("rows on which types are decided: a number, or all", default="20000")
    no_normalize: tuple[str, ...] = option("rules that are not applied: a,b or all", default=())
    date_order: str | None = date_order_option()
    two_digit_years: int | None = two_digit_years_option()
    strict: bool = strict_option()
    show_values: bool = option(
        "frequent values of columns that identify nobody, instead of shapes", default=False
    )
    save: bool = option(
        "write FILE.tokumei.json: roles, person, how the file is written", default=False
    )
    out: str | None = option("page to write: .html", default=None)

    def answer(self) -> CommandResult:
        """Look, and write what was asked for."""
        from tokumei.tables.profiling.report.text_report import profile_lines
        from tokumei.tables.services.profile import ProfileTableRequest, profile_table

        self._require_valid_options()
        profile = profile_table(
            ProfileTableRequest(
                data=self.file,
                encoding=self.encoding,
                sep=self.sep,
                sheet=self.sheet,
                header_row=self.header_row,
                rows=None if self.rows == "all" else int(self.rows),
                no_normalize=self.no_normalize,
                encoding_errors=self.encoding_errors,
                date_order=self.date_order,
                two_digit_years=self.two_digit_years,
                strict=self.strict,
            )
        )
        notes = self._write_files(profile)
        return CommandResult(
            profile.as_json(), profile_lines(profile, values=self.show_values), notes
        )

    def _write_files(self, profile: TableProfile) -> list[Message]:
        from tokumei.files.atomic_write import write_all
        from tokumei.files.writing import text_output
        from tokumei.tables.profiling.normalization_rules import date_answers, parse_date_decisions
        from tokumei.tables.profiling.profile_file import (
            format_profile_file,
            profile_path,
            with_scenario,
        )

        outputs, notes = [], []
        if self.save:
            roles_path = profile_path(self.file)
            answers = date_answers(parse_date_decisions(self.date_order, self.two_digit_years))
            roles_text = format_profile_file(profile, self.no_normalize, answers)
            scenario, lost = self._keep_scenario()
            notes += lost
            outputs.append(text_output(with_scenario(roles_text, scenario), roles_path))
            notes.append(Message("Saved: {path}", path=roles_path))
        if self.out is not None:
            from tokumei.tables.profiling.report.html_page import render_profile_page

            outputs.append(
                text_output(render_profile_page(profile, lang=current_language()), self.out)
            )
            notes.append(Message("Page: {path}", path=self.out))
        write_all(outputs)
        return notes

    def _keep_scenario(self) -> tuple[Scenario | None, list[Message]]:
        """The scenario saved before; a file that cannot be read is replaced, which is told."""
        from tokumei.tables.profiling.profile_file import read_saved_scenario

        try:
            return read_saved_scenario(self.file), []
        except InputError as damaged:
            return None, [
                Message("{reason}: replaced, without a saved scenario", reason=damaged.message)
            ]

    def _require_valid_options(self) -> None:
        refuse_overwriting_inputs((self.file,), (self.out,))
        require_suffix(self.out, ".html")
        _require_number_or_word("--rows", self.rows, "all")
        if self.encoding_errors not in ("strict", "replace"):
            raise UsageError(
                "--encoding-errors is strict or replace, not '{given}'",
                given=self.encoding_errors,
            )


def _require_number_or_word(option: str, value: str, word: str) -> None:
    if value != word and not (value.isdecimal() and int(value) > 0):
        raise UsageError(
            "{option} is a number from 1 or '{word}', not '{given}'",
            option=option,
            word=word,
            given=value,
        )

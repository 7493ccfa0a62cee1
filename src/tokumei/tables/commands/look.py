"""`tokumei look`: profiles each column of a file, and lists the decisions it needs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from tokumei.core.command import Command, CommandResult, option
from tokumei.core.errors import UsageError
from tokumei.core.messages import Message, current_language
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
    from tokumei.tables.profiling.profile import TableProfile


@dataclass(frozen=True, kw_only=True)
class ProfileTable(Command):
    """Look at a file."""

    about: ClassVar = Message(
        "What a file is: how it is written, what every column means and why, personal data inside "
        "texts, what would be normalized, what has to be asked, and the next command. Shows "
        "shapes, never values; writes nothing unless asked.",
        "ファイルの中身を調べます: 書き方、各列の意味とその理由、文章中の個人情報、正規化の内容、"
        "確認すべき質問、次のコマンド。値ではなく形だけを示し、指定がなければ何も書き出しません。",
    )
    examples: ClassVar = (
        "tokumei look customers.csv",
        "tokumei look 顧客台帳.xlsx --sheet 名簿 --out look.html --save",
    )

    file: str = option("the file", "ファイル", positional=True)
    sheet: str | None = sheet_option()
    header_row: str | None = header_row_option()
    encoding: str = encoding_option()
    encoding_errors: str = option(
        "replace: bytes that cannot be read become a mark, and are counted",
        "replace: 読めないバイトを置き換えて数える",
        default="strict",
    )
    sep: str | None = sep_option()
    rows: str = option(
        "rows on which types are decided: a number, or all",
        "意味の判定に使う行数 (数または all)",
        default="20000",
    )
    no_normalize: tuple[str, ...] = option(
        "rules that are not applied: a,b or all", "適用しない規則: a,b または all", default=()
    )
    date_order: str | None = date_order_option()
    two_digit_years: int | None = two_digit_years_option()
    strict: bool = strict_option()
    show_values: bool = option(
        "frequent values of columns that identify nobody, instead of shapes",
        "個人を特定しない列では、形の代わりに多い値を示す",
        default=False,
    )
    save: bool = option(
        "write FILE.tokumei.json: roles, person, how the file is written",
        "FILE.tokumei.json を書く (役割・個人の列・ファイルの書き方)",
        default=False,
    )
    out: str | None = option("page to write: .html", "書き出すページ: .html", default=None)

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
        from tokumei.tables.profiling.profile_file import format_profile_file, profile_path

        outputs, notes = [], []
        if self.save:
            roles_path = profile_path(self.file)
            answers = date_answers(parse_date_decisions(self.date_order, self.two_digit_years))
            outputs.append(
                text_output(format_profile_file(profile, self.no_normalize, answers), roles_path)
            )
            notes.append(Message(f"Saved: {roles_path}", f"保存: {roles_path}"))
        if self.out is not None:
            from tokumei.tables.profiling.report.html_page import render_profile_page

            outputs.append(
                text_output(render_profile_page(profile, lang=current_language()), self.out)
            )
            notes.append(Message(f"Page: {self.out}", f"ページ: {self.out}"))
        write_all(outputs)
        return notes

    def _require_valid_options(self) -> None:
        refuse_overwriting_inputs((self.file,), (self.out,))
        require_suffix(self.out, ".html")
        _require_number_or_word("--rows", self.rows, "all")
        if self.encoding_errors not in ("strict", "replace"):
            raise UsageError(
                f"--encoding-errors is strict or replace, not '{self.encoding_errors}'",
                f"--encoding-errors は strict か replace です ('{self.encoding_errors}')",
            )


def _require_number_or_word(option: str, value: str, word: str) -> None:
    if value != word and not (value.isdecimal() and int(value) > 0):
        raise UsageError(
            f"{option} is a number from 1 or '{word}', not '{value}'",
            f"{option} は 1 以上の数か '{word}' です ('{value}')",
        )

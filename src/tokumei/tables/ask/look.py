"""`tokumei look`: what a stranger's file is, column by column, and what to ask its owner."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from tokumei.core.ask import Answer, Ask, option
from tokumei.core.errors import UsageError
from tokumei.core.options import encoding_option, require_ending, sep_option, spare_sources
from tokumei.core.text import Text, current_language
from tokumei.tables.ask.options import (
    date_order_option,
    header_row_option,
    sheet_option,
    strict_option,
    two_digit_years_option,
)

if TYPE_CHECKING:
    from tokumei.tables.look.result import Look


@dataclass(frozen=True, kw_only=True)
class LookAtTable(Ask):
    """Look at a file."""

    about: ClassVar = Text(
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

    def answer(self) -> Answer:
        """Look, and write what was asked for."""
        from tokumei.tables.look.listing import look_lines
        from tokumei.tables.services.profile import ProfileTableRequest, profile_table

        self._require_sense()
        found = profile_table(
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
        notes = self._write(found)
        return Answer(found.as_json(), look_lines(found, values=self.show_values), notes)

    def _write(self, found: Look) -> list[Text]:
        from tokumei.files.atomic import write_all
        from tokumei.files.writing import text_output
        from tokumei.tables.look.days import answers_of, said_of_days
        from tokumei.tables.look.side_file import side_path, side_text

        outputs, notes = [], []
        if self.save:
            place = side_path(self.file)
            answers = answers_of(said_of_days(self.date_order, self.two_digit_years))
            outputs.append(text_output(side_text(found, self.no_normalize, answers), place))
            notes.append(Text(f"Saved: {place}", f"保存: {place}"))
        if self.out is not None:
            from tokumei.tables.look.page import render_look

            outputs.append(text_output(render_look(found, lang=current_language()), self.out))
            notes.append(Text(f"Page: {self.out}", f"ページ: {self.out}"))
        write_all(outputs)
        return notes

    def _require_sense(self) -> None:
        spare_sources((self.file,), (self.out,))
        require_ending(self.out, ".html")
        _require_number("--rows", self.rows, "all")
        if self.encoding_errors not in ("strict", "replace"):
            raise UsageError(
                f"--encoding-errors is strict or replace, not '{self.encoding_errors}'",
                f"--encoding-errors は strict か replace です ('{self.encoding_errors}')",
            )


def _require_number(option: str, value: str, word: str) -> None:
    if value != word and not (value.isdecimal() and int(value) > 0):
        raise UsageError(
            f"{option} is a number from 1 or '{word}', not '{value}'",
            f"{option} は 1 以上の数か '{word}' です ('{value}')",
        )

"""The figures of the papers, transcribed twice independently, are the same, digit by digit."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from tokumei.apps.papers.published_values import PAPER_NUMBERS, read_published_paper

SECOND = yaml.safe_load(
    (Path(__file__).parent / "second_transcription.yaml").read_text(encoding="utf-8")
)
NO_CELL = "~"
WORDS = {
    "抽象化": "abstract",
    "データ削除": "delete",
    "そのまま利用": "keep",
    "行数": "rows",
    "レコード": "rows",
    "k-匿名化": "k-anonymize",
    "SAノイズ付加": "SA noise",
    "山岡匿名化": "Yamaoka",
    "QI統一(対象外)": "unify QI (not in cross table)",
    "QI統一(対象内)": "unify QI (in cross table)",
    "SA平均化": "microaggregate",
    "QI内スワップ": "swap within QI",
    "レコード削除": "delete rows",
    "2位": "2",
    "1位": "1",
    "3位": "3",
    "日本標準 職業分類 大分類": "大分類",
    "日本標準 職業分類 中分類": "中分類",
    "X": "×",
    "x": "×",
    "O": "○",
    "〇": "○",
    "k-anonymMean": "k-anonyMean",
    "Identify.sa21": "identify.sa21",
}
"""What the first transcription puts into English, or writes with another sign."""


def blocks() -> list[tuple[str, str]]:
    return [(number, name) for number in PAPER_NUMBERS for name in SECOND[number]]


def second_rows(number: str, name: str) -> list[list[str]]:
    lines = SECOND[number][name].rstrip("\n").split("\n")
    return [[cell.strip() for cell in line.split("|")] for line in lines]


def folded(text: str) -> str:
    """The text without marks of layout."""
    text = WORDS.get(text, text)
    text = re.sub(r"^D ?_\{?(\w+)\}?$", r"D\1", text)
    text = re.sub(r"D_\{?(\d+)\}?", r"D\1", text).replace("T _", "T_")
    text = re.sub(r"(\d{4}) 年 (\d+) 月 (\d+) 日", day, text)
    text = re.sub(r"(\d{4})年?～ ?(\d{4})年?", r"\1-\2", text.replace(" 年", "年"))
    text = re.sub(r"(\d+)cm[~～] ?(\d+)cm", r"\1-\2", text)
    text = text.replace("cm 以下", "cm以下").replace("cm 以上", "cm以上")
    text = re.sub(r"^(\d+)cm以下$", r"<=\1", text)
    text = re.sub(r"^(\d+)cm以上$", r">=\1", text)
    text = re.sub(r"(\d)(年|日|cm| 年| 日| cm) ?毎$", r"\1\2", text).replace(" ", "")
    return text.lstrip("*@¥") if len(text) > 1 else text


def day(match: re.Match[str]) -> str:
    year, month, date = match.groups()
    return f"{year}-{int(month):02d}-{int(date):02d}"


def as_number(text: str) -> tuple[float, int] | None:
    """A printed figure and the places behind its point."""
    plain = text.replace(",", "").removesuffix("%").removesuffix("cm")
    if not re.fullmatch(r"\d+(\.\d+)?", plain):
        return None
    return float(plain), len(plain.partition(".")[2])


def decimals(entry: object, column: str) -> int | None:
    places = entry.get("decimals") if isinstance(entry, dict) else None
    return places.get(column) if isinstance(places, dict) else places


@pytest.mark.parametrize(("number", "name"), blocks())
def test_every_cell_is_the_same(number: str, name: str) -> None:
    block = read_published_paper(number).blocks[name]
    rows = second_rows(number, name)
    assert len(rows) == len(block.rows)
    for row_number, (second, first) in enumerate(zip(rows, block.rows, strict=True)):
        assert len(second) == len(first), (row_number, second, first)
        for column, text, cell in zip(block.columns, second, first, strict=True):
            if text == NO_CELL:
                continue
            where = (name, row_number, column, text, cell)
            if isinstance(cell, int | float) and not isinstance(cell, bool):
                number_read = as_number(folded(text))
                assert number_read is not None, where
                value, places = number_read
                percent = text.endswith("%") and cell < 1 and not column.endswith("percent")
                assert cell == pytest.approx(value / 100 if percent else value, abs=1e-12), where
                expected = decimals(block.entry, column)
                if expected is not None and isinstance(cell, float) and not percent:
                    assert places == expected or cell == int(cell), where
            elif isinstance(cell, list):
                assert [str(element) for element in cell] == re.findall(r"\w+", text), where
            else:
                printed = "" if cell is None else str(cell).replace("method_", "D").replace(" ", "")
                assert folded(text) == printed, where


def test_every_block_with_figures_was_transcribed_twice() -> None:
    once = {
        (number, block.id)
        for number in PAPER_NUMBERS
        for block in read_published_paper(number).blocks.values()
        if block.rows and block.id.startswith("table")
    } - set(blocks())
    assert once == {("003", "table4"), ("001", "table7")}, "only words, no figures"

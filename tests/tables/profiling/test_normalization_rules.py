"""Every normalization on and off, against cells worked out by hand."""

from __future__ import annotations

from datetime import date

import polars as pl
import pytest

from tokumei.core.errors import UnknownNameError, UsageError
from tokumei.core.parsing.dates import DatePreferences, detect_date_style, era_to_date
from tokumei.core.parsing.numbers import parse_numbers
from tokumei.tables.profiling.normalization_rules import (
    NORMALIZATION_RULES,
    date_answers,
    parse_date_decisions,
    parse_disabled_rules,
    read_date_answers,
)
from tokumei.tables.profiling.profiler import look

NUMBERS = {
    # rule: cells after NFKC, what they say
    "thousands": (["15,373", "1,234,567.5", "980"], [15373, 1234567.5, 980]),
    "currency": (["¥1,200", "\\500", "3万円", "£40", "120円"], [1200, 500, 30000, 40, 120]),
    "unit": (["25回", "4回", "30"], [25, 4, 30]),
    "negative": (["▲300", "△1", "(20)", "−5", "7"], [-300, -1, -20, -5, 7]),
    "decimal-comma": (["3,5", "12,75", "1.234,5"], [3.5, 12.75, 1234.5]),
}


@pytest.mark.parametrize("rule", NUMBERS)
def test_numbers_are_read_by_their_rule(rule: str) -> None:
    cells, values = NUMBERS[rule]
    found = parse_numbers(pl.Series(cells))
    assert found.values.to_list() == values
    assert found.touched[rule].any()


@pytest.mark.parametrize("rule", NUMBERS)
def test_a_rule_that_is_off_leaves_its_cells_unread(rule: str) -> None:
    cells, _ = NUMBERS[rule]
    found = parse_numbers(pl.Series(cells), {rule})
    touched = parse_numbers(pl.Series(cells)).touched[rule]
    assert rule not in found.touched
    assert found.values.filter(touched).is_null().all()


def test_integers_as_floats_only_if_all_are() -> None:
    assert parse_numbers(pl.Series(["3.0", "4.0"])).touched["integer-as-float"].sum() == 2
    assert not parse_numbers(pl.Series(["3.0", "4.5"])).touched["integer-as-float"].any()
    assert "integer-as-float" not in parse_numbers(pl.Series(["3.0"]), {"integer-as-float"}).touched


@pytest.mark.parametrize(
    ("cells", "values"),
    [
        (["1.200 €", "2.350 €", "15.000 €", "900 €"], [1200, 2350, 15000, 900]),
        (["1.200 €", "2.35 €", "15.000 €", "900 €"], [1.2, 2.35, 15, 900]),
        (["1.200", "2.350", "15.000", "900"], [1.2, 2.35, 15, 900]),
    ],
)
def test_dots_part_thousands_of_money_only(cells: list[str], values: list[float]) -> None:
    assert parse_numbers(pl.Series(cells)).values.to_list() == values


@pytest.mark.parametrize("cell", ["1,23", "12,34,567", "0,000,1", "abc", "1e", "--3", "1.2.3"])
def test_groups_that_are_not_of_three_are_no_number(cell: str) -> None:
    assert parse_numbers(pl.Series([cell, "15,373", "16,373"])).values[0] is None


DAYS = {
    "2024-03-09": date(2024, 3, 9),
    "2024/3/9": date(2024, 3, 9),
    "2024.03.09": date(2024, 3, 9),
    "2024年3月9日": date(2024, 3, 9),
    "20240309": date(2024, 3, 9),
    "2024年3月": date(2024, 3, 1),
    "9 Mar 2024": date(2024, 3, 9),
    "Mar 9, 2024": date(2024, 3, 9),
    "09-Mar-2024": date(2024, 3, 9),
    "Mar-2024": date(2024, 3, 1),
    "2024-03-09T12:30:00Z": date(2024, 3, 9),
    "2024/3/9 9:05": date(2024, 3, 9),
    "昭和55年3月4日": date(1980, 3, 4),
    "S55.3.4": date(1980, 3, 4),
    "R1/5/1": date(2019, 5, 1),
    "令和元年5月1日": date(2019, 5, 1),
    "平成31年4月30日": date(2019, 4, 30),
    "H元.1.8": date(1989, 1, 8),
    "T15.12.24": date(1926, 12, 24),
    "M45/7/29": date(1912, 7, 29),
}


@pytest.mark.parametrize("cell", DAYS)
def test_days_in_every_writing(cell: str) -> None:
    assert detect_date_style([cell]).day(cell) == DAYS[cell]


@pytest.mark.parametrize("cell", ["昭和70年1月1日", "R0.1.1", "H31.5.2", "2024-13-01", "2023/2/29"])
def test_days_that_there_never_were(cell: str) -> None:
    assert detect_date_style([cell]).day(cell) is None


def test_what_only_a_column_of_that_name_may_say() -> None:
    named = detect_date_style(["3550304"], named=True, epoch=True, month_named=True)
    assert named.day("3550304") == date(1980, 3, 4)
    assert named.day("45360") == date(2024, 3, 9)
    assert named.day("1709942400") == date(2024, 3, 9)
    assert named.day("202403") == date(2024, 3, 1)
    plain = detect_date_style(["3550304"])
    assert [plain.day(c) for c in ("3550304", "45360", "1709942400", "202403")] == [None] * 4


def test_one_decisive_cell_tells_day_from_month() -> None:
    assert detect_date_style(["3/4/2021", "13/4/2021"]).day("3/4/2021") == date(2021, 4, 3)
    assert detect_date_style(["3/4/2021", "3/14/2021"]).day("3/4/2021") == date(2021, 3, 4)
    assert detect_date_style(["3/4/2021", "5/6/2021"]).undecided


@pytest.mark.parametrize(
    ("rule", "cell"), [("era", "昭和55年3月4日"), ("date", "2024/3/9"), ("excel-serial", "45360")]
)
def test_a_rule_of_days_that_is_off_reads_none(rule: str, cell: str) -> None:
    assert detect_date_style([cell], named=True).read(cell)[1] == rule
    assert detect_date_style([cell], named=True, off={rule}).day(cell) is None


def test_an_era_has_its_first_and_last_day() -> None:
    assert era_to_date("S", "1", 12, 25) == date(1926, 12, 25)
    assert era_to_date("S", "1", 12, 24) is None
    assert era_to_date("昭和", "64", 1, 7) == date(1989, 1, 7)


CELLS = {
    "nfkc": ("会員番号", ["Ａ００１", "Ａ００２", "A003", "A004"], 2),
    "missing": ("血圧", ["120", "-", "未測定", "131"], 2),
    "postal": ("郵便番号", ["1000001", "100-0002", "100-0003", "60001"], 2),
    "phone": ("電話番号", ["03-1234-5678", "0312345679", "03-1234-5670", "03-1234-5671"], 3),
    "era": ("登録日", ["R5.4.1", "R5.4.2", "R5.4.3", "2023-04-04"], 3),
}


@pytest.mark.parametrize("rule", CELLS)
def test_cells_are_counted_and_the_switch_works(rule: str) -> None:
    name, cells, count = CELLS[rule]
    frame = pl.DataFrame({name: cells, "x": ["a", "b", "a", "b"]})
    assert look(frame)[name].normalizations.get(rule) == count
    assert rule not in look(frame, no_normalize=[rule])[name].normalizations


def test_words_for_missing_are_words_among_words() -> None:
    frame = pl.DataFrame(
        {"アレルギー": ["なし", "卵", "なし", "-"], "体重": ["60", "なし", "71", "62"]}
    )
    found = look(frame)
    assert found["アレルギー"].missing_as == {"-": 1}
    assert found["体重"].missing_as == {"なし": 1}


def test_the_rules_of_files(tmp_path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(
        "\ufeff売上表,,\n品名,数,金額\nりんご,1,100\nみかん,2,50\nかき,3,70\n合計,6,220\n".encode()
    )
    found = look(str(path))
    assert found.file_rules == {"bom": 1, "title-rows": 1, "total-row": 1}
    assert found.rows == 3


def test_all_means_every_rule_and_others_are_unknown() -> None:
    assert parse_disabled_rules(["all"]) == frozenset(NORMALIZATION_RULES)
    with pytest.raises(UnknownNameError, match="thousands"):
        parse_disabled_rules(["thousand"])


@pytest.mark.parametrize(("order", "years"), [(None, None), ("dmy", None), ("mdy", 0), ("", 99)])
def test_answers_are_the_same_after_they_were_saved(order: str | None, years: int | None) -> None:
    decisions = parse_date_decisions(order, years)
    assert decisions == DatePreferences(order or "", years)
    assert read_date_answers(date_answers(decisions)) == decisions


def test_nothing_is_saved_of_what_nobody_said() -> None:
    assert date_answers(parse_date_decisions()) == {}
    assert read_date_answers("not a mapping") == parse_date_decisions()


@pytest.mark.parametrize("years", [-1, 100])
def test_years_have_two_digits(years: int) -> None:
    with pytest.raises(UsageError, match="from 0 to 99"):
        parse_date_decisions(years=years)


def test_an_unknown_order_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="ydm"):
        parse_date_decisions("ydm")

"""What a cell stands for is decided by the original's values and the hierarchy."""

from __future__ import annotations

import math
from typing import Any

import polars as pl
import pytest

from tables.data.cell_reader_samples import JOBS
from tokumei.core.errors import InputError
from tokumei.core.generalized_cells import CellShape, canonicalize_value
from tokumei.tables.data.cell_reader import ColumnReader
from tokumei.tables.hierarchies.hierarchy import Hierarchy

AGES = list(range(15, 95))


ZIPS = ["13053", "13068", "14850", "14853"]


def inside(values: list[Any], cell: str, hierarchy: Hierarchy | None = None) -> list[Any]:
    """The original values behind a cell."""
    original = pl.Series("q", values)
    reader = ColumnReader.of(original, pl.Series("q", [cell, "*"]), hierarchy)
    flags = reader.covered(reader.read_cells(pl.Series("q", [cell]))[cell])
    found = reader.values.filter(pl.Series(flags)).to_list()
    return [value for value in values if str(value) in found]


@pytest.mark.parametrize(
    "cell",
    ["[20;39]", "[20, 39]", "[20, 40[", "(19,39]", "20-39", "20~39", "20..39", "[20-39]"],
)
def test_ranges_of_numbers(cell: str) -> None:
    assert inside(AGES, cell) == list(range(20, 40))


def test_codes_at_the_ends_of_a_column() -> None:
    assert inside(AGES, "90+") == inside(AGES, "≥90") == inside(AGES, ">=90") == [*range(90, 95)]
    assert inside(AGES, "<20") == inside(AGES, "≤19") == [*range(15, 20)]


def test_sets_and_masks() -> None:
    for cell in ("{cook;nurse}", "{cook, nurse}", "{cook,nurse}", "{nurse|cook}"):
        assert inside(JOBS, cell) == ["cook", "nurse"]
    assert inside(AGES, "{20, 30}") == [20, 30]
    assert inside(ZIPS, "130**") == inside(ZIPS, "13*") == ["13053", "13068"]
    assert inside(ZIPS, "1485*") == ["14850", "14853"]
    assert inside(AGES, "3*") == list(range(30, 40))


def test_a_value_of_the_original_is_itself_whatever_it_looks_like() -> None:
    assert inside(JOBS, "10-20") == ["10-20"]
    assert inside(["2024-01", "2024-02"], "2024-01") == ["2024-01"]
    assert inside(["<=50K", ">50K"], "<=50K") == ["<=50K"]
    assert inside(["090-1234", "090-5678"], "090-1234") == ["090-1234"]


def test_dates_by_their_periods() -> None:
    days = pl.date_range(pl.date(2024, 1, 30), pl.date(2024, 2, 2), eager=True)
    reader = ColumnReader.of(days, pl.Series(["2024-01", "2024"]))
    counts = [
        reader.count_covered(reader.read(text)) for text in ("2024-01", "2024-Q1", "2024", "2020s")
    ]
    assert counts == [2, 4, 4, 4]


def test_labels_stand_for_their_leaves_on_every_level() -> None:
    tree = Hierarchy.of("q", [["a", "x", "*"], ["b", "x", "*"], ["x", "y", "*"], ["c", "y", "*"]])
    assert inside(["a", "b", "x", "c"], "x", tree) == ["a", "b", "x"]
    assert inside(["a", "b", "x", "c"], "y", tree) == ["x", "c"]
    assert inside(["a", "b", "x", "c"], "{x, c}", tree) == ["a", "b", "x", "c"]
    assert inside(["a", "b", "x", "c"], "*", tree) == ["a", "b", "x", "c"]


@pytest.mark.parametrize(
    ("values", "cell"),
    [(JOBS, "Service"), (JOBS, "20-30"), (AGES, "young"), (AGES, "2024-01"), (ZIPS, "88***")],
)
def test_a_cell_that_nothing_explains_is_counted_named_and_refused(
    values: list[Any], cell: str
) -> None:
    reader = ColumnReader.of(pl.Series("q", values), pl.Series("q", [cell, cell, "*"]))
    with pytest.raises(InputError, match=r"column 'q': 2 cells \(1 different.*hierarchies=") as err:
        reader.read_cells(pl.Series("q", [cell, cell, "*"]))
    assert cell not in str(err.value)
    read = reader.read_cells(pl.Series([cell]), strict=False)[cell]
    assert read.shape is CellShape.UNREAD
    assert reader.covered(read).all()  # it never means 'different'


def test_missing_cells_were_suppressed_where_the_original_has_fewer() -> None:
    original = pl.Series("q", ["a", "b", None])
    kept = ColumnReader.of(original, pl.Series("q", ["a", None, "b"]))
    assert kept.covered(kept.read(None)).tolist() == [True, False, False]
    gone = ColumnReader.of(original, pl.Series("q", ["a", None, None]))
    assert gone.covered(gone.read(None)).all()


def test_codes_in_the_place_of_words_are_not_other_values() -> None:
    reader = ColumnReader.of(pl.Series("q", ["cook", "smith", "cook"]), pl.Series("q", [1, 2, 1]))
    with pytest.raises(InputError, match="3 cells"):
        reader.reads(pl.Series("q", [1, 2, 1]))


def test_one_cell_for_everybody_says_nothing() -> None:
    original = pl.Series("q", ["a", "b", "c"])
    assert ColumnReader.of(original, pl.Series("q", ["all"] * 3)).read("all").shape is (
        CellShape.SUPPRESSED
    )
    assert (
        ColumnReader.of(original, pl.Series("q", ["all"] * 2)).read("all").shape is CellShape.UNREAD
    )


def rounded(values: list[float], step: float, down: bool = False) -> list[float]:
    return [(value // step if down else round(value / step)) * step for value in values]


def test_rounded_numbers_are_read_only_beyond_doubt() -> None:
    ages = pl.Series("q", [15 + i * 7 % 61 for i in range(200)])
    nearest = ColumnReader.of(ages, pl.Series("q", rounded(ages.to_list(), 5)))
    assert (nearest.read("40").low, nearest.read("40").high) == (37.5, 42.5)
    down = ColumnReader.of(ages, pl.Series("q", rounded(ages.to_list(), 10, down=True)))
    assert down.count_covered(down.read("40")) == 10
    assert ColumnReader.of(ages, ages.shuffle(1)).rounding is None
    assert ColumnReader.of(ages, ages.filter(ages % 10 == 0)).rounding is None  # only deleted
    noisy = pl.Series("q", [age + (i % 3) - 1 for i, age in enumerate(ages)])
    assert ColumnReader.of(ages, noisy).rounding is None


@pytest.mark.parametrize(
    "cell",
    [
        "20−39",
        "20‐39",
        "20―39",
        "20ー39",
        "２０～３９",
        "20歳以上40歳未満",
        "20歳から39歳まで",
        "[20, 40)",
    ],
)
def test_ranges_as_people_type_them(cell: str) -> None:
    assert inside(AGES, cell) == list(range(20, 40))


def test_open_ends_as_people_and_programs_write_them() -> None:
    for cell in ("90〜", "90~", "90歳以上", "[90, ∞)", "[90, Inf)", "90 and older"):
        assert inside(AGES, cell) == [*range(90, 95)], cell
    for cell in ("〜19歳", "~19", "(-Inf,20)", "19歳まで"):
        assert inside(AGES, cell) == [*range(15, 20)], cell


def test_a_decade_holds_what_lies_between_its_whole_numbers() -> None:
    assert inside([29.5, 20.5, 30.0], "20代") == inside([29.5, 20.5, 30.0], "20s") == [29.5, 20.5]
    assert inside(AGES, "30歳代") == [*range(30, 40)]


@pytest.mark.parametrize("cell", ["020", "+20", "２０", " 20", "20.0", "2e1"])
def test_a_number_is_itself_however_it_is_spelled(cell: str) -> None:
    reader = ColumnReader.of(pl.Series("q", AGES), pl.Series("q", [cell, "*"]))
    text = canonicalize_value(cell)
    assert reader.values.filter(pl.Series(reader.covered(reader.read(text)))).to_list() == ["20"]


def test_what_python_takes_for_a_number_and_nobody_else_does_is_not_read() -> None:
    reader = ColumnReader.of(pl.Series("q", AGES), pl.Series("q", ["20_29", "*"]))
    assert reader.read("20_29").shape is CellShape.UNREAD


@pytest.mark.parametrize("cell", ["{20,21,999}", "{20;21;999}", "{20, 21}"])
def test_a_set_of_numbers_may_name_some_that_nobody_has(cell: str) -> None:
    assert inside(AGES, cell) == [20, 21]


@pytest.mark.parametrize("cell", ["{kitchen;office}", "{cook, kitchen}", "{kitchen, office}"])
def test_a_set_of_words_that_nothing_explains_is_not_read(cell: str) -> None:
    reader = ColumnReader.of(pl.Series("q", JOBS), pl.Series("q", [cell, "*"]))
    assert reader.read(cell).shape is CellShape.UNREAD


def test_a_mark_that_is_a_label_of_the_hierarchy_stands_for_its_leaves() -> None:
    tree = Hierarchy.of("q", [["a", "-", "*"], ["b", "-", "*"], ["c", "+", "*"]])
    assert inside(["a", "b", "c"], "-", tree) == ["a", "b"]


MANY = [20 + i * 7 % 61 for i in range(120)]


@pytest.mark.parametrize("code", [-9, 999, -39, 8.5])
def test_one_strange_number_in_many_rows_is_a_code_and_not_another_age(code: float) -> None:
    released = pl.Series("q", [age if age < 60 else code for age in MANY], strict=False)
    reader = ColumnReader.of(pl.Series("q", MANY), released)
    with pytest.raises(InputError, match=r"column 'q': \d+ cells \(1 different"):
        reader.reads(released)


def test_a_plain_number_at_the_end_of_a_column_is_a_code_for_all_beyond() -> None:
    ages = pl.Series("q", MANY)
    top, low = (ColumnReader.of(ages, cut) for cut in (ages.clip(None, 70), ages.clip(33, None)))
    assert (top.read("70").low, top.read("70").high) == (70, math.inf)
    assert (low.read("33").low, low.read("33").high) == (-math.inf, 33)
    assert top.read("69").shape is low.read("34").shape is CellShape.PLAIN


def test_whole_numbers_cut_to_their_first_digits_stand_for_all_that_begin_so() -> None:
    zips = pl.Series("q", [13053, 13068, 14850, 14853])
    reader = ColumnReader.of(zips, zips // 100)
    assert reader.count_covered(reader.read("130")) == reader.count_covered(reader.read("148")) == 2
    assert reader.reads(zips // 100)

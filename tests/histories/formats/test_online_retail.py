from __future__ import annotations

from datetime import date, datetime
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from tokumei.core.errors import InputError, UnknownNameError
from tokumei.files.reading import read_frame
from tokumei.histories.formats.online_retail import (
    CLEANING_RULES,
    SOURCE_COLUMNS,
    CleanedRetail,
    clean_online_retail,
)

MORNING, NOON = datetime(2010, 12, 1, 8, 26), datetime(2010, 12, 1, 12, 0)
LATER = datetime(2011, 1, 13, 18, 5)
ROWS = [
    ("500003", "10002", "BLUE MUG", 6, LATER, 2.55, "17850", "France"),
    ("500001", " 10001a ", "RED MUG ", 6, MORNING, 2.55, "17850", "France"),
    ("500001", "10001A", "RED MUG", 12, MORNING, 2.128, "17850", "France"),
    ("500001", "10001A", "red mug?", 12, MORNING, 2.128, "17850", "France"),
    ("500002", "10002", None, 1, NOON, 0.85, "13047", "Japan"),
    ("500002", "10002", None, 1, NOON, 0.85, "13047", "Japan"),
    ("C500004", "10002", "BLUE MUG", -1, LATER, 2.55, "17850", "France"),
    ("500005", "10002", "BLUE MUG", 4, LATER, 2.55, None, "France"),
    ("500006", "10002", "lost", -4, LATER, 2.55, "13047", "Japan"),
    ("500007", "10002", "BLUE MUG", 4, LATER, 0.0, "13047", "Japan"),
    ("500008", "POST", "POSTAGE", 1, LATER, 18.0, "13047", "Japan"),
    ("500008", "gift_0001_20", "VOUCHER", 1, LATER, 20.0, "13047", "Japan"),
]
REMOVED = {
    "cancelled": 1,
    "no-customer": 1,
    "not-positive-quantity": 1,
    "not-positive-price": 1,
    "non-product": 2,
}


@pytest.fixture
def frame() -> pl.DataFrame:
    return pl.DataFrame(ROWS, schema=SOURCE_COLUMNS, orient="row")


def _removed(cleaned: CleanedRetail) -> dict[str, int]:
    return {count.name: count.removed for count in cleaned.rules}


def test_the_default_rules_leave_purchases_in_time_order(frame: pl.DataFrame) -> None:
    cleaned = clean_online_retail(frame)
    expected = [
        ("17850", MORNING.date(), "10001A", 2.55, 6, "500001"),
        ("17850", MORNING.date(), "10001A", 2.13, 12, "500001"),
        ("17850", MORNING.date(), "10001A", 2.13, 12, "500001"),
        ("13047", NOON.date(), "10002", 0.85, 1, "500002"),
        ("13047", NOON.date(), "10002", 0.85, 1, "500002"),
        ("17850", LATER.date(), "10002", 2.55, 6, "500003"),
    ]
    names = ["customer", "day", "item", "price", "quantity", "basket"]
    types = [pl.String, pl.Date, pl.String, pl.Float64, pl.Int64, pl.String]
    schema = dict(zip(names, types, strict=True))
    assert_frame_equal(cleaned.purchases, pl.DataFrame(expected, schema=schema, orient="row"))
    assert _removed(cleaned) == REMOVED


def test_items_have_their_most_frequent_description(frame: pl.DataFrame) -> None:
    items = clean_online_retail(frame, keep=["non-product"]).items
    assert dict(items.iter_rows()) == {
        "10001A": "RED MUG",
        "10002": "BLUE MUG",
        "GIFT_0001_20": "VOUCHER",
        "POST": "POSTAGE",
    }


def test_an_item_that_is_never_described_has_an_empty_description(frame: pl.DataFrame) -> None:
    nameless = frame.with_columns(pl.lit(None, pl.String).alias("Description"))
    assert clean_online_retail(nameless).items["description"].to_list() == ["", ""]


@pytest.mark.parametrize("rule", REMOVED)
def test_a_kept_rule_keeps_what_it_would_remove(frame: pl.DataFrame, rule: str) -> None:
    # A cancelled row would be caught a second time by its quantity.
    positive = frame.with_columns(
        pl.when(pl.col("InvoiceNo").str.starts_with("C"))
        .then(1)
        .otherwise("Quantity")
        .alias("Quantity")
    )
    usual, kept = clean_online_retail(positive), clean_online_retail(positive, keep=[rule])
    assert _removed(kept) == {name: n for name, n in REMOVED.items() if name != rule}
    assert kept.purchases.height == usual.purchases.height + REMOVED[rule]


def test_rules_count_only_what_those_before_left(frame: pl.DataFrame) -> None:
    removed = _removed(clean_online_retail(frame, keep=["cancelled"]))
    assert removed == {
        "no-customer": 1,
        "not-positive-quantity": 2,
        "not-positive-price": 1,
        "non-product": 2,
    }


def test_kept_rows_without_a_customer_have_a_null_customer(frame: pl.DataFrame) -> None:
    customers = clean_online_retail(frame, keep=["no-customer"]).purchases["customer"]
    assert customers.null_count() == 1


def test_duplicates_are_removed_only_on_request(frame: pl.DataFrame) -> None:
    cleaned = clean_online_retail(frame, also=["duplicates"])
    assert _removed(cleaned) == {"duplicates": 1, **REMOVED}
    assert cleaned.purchases.height == 5


@pytest.mark.parametrize(
    "code",
    [
        "POST",
        "D",
        "M",
        "DOT",
        "PADS",
        "C2",
        "CRUK",
        "AMAZONFEE",
        "S",
        "B",
        "m",
        "1234",
        "DCGS0003",
        "gift_0001_10",
    ],
)
def test_codes_without_five_digits_first_are_no_products(frame: pl.DataFrame, code: str) -> None:
    first = frame.head(1).with_columns(pl.lit(code).alias("StockCode"))
    assert clean_online_retail(first).purchases.is_empty()
    assert clean_online_retail(first, keep=["non-product"]).purchases["item"].item() == code.upper()


@pytest.mark.parametrize("code", ["12345", "12345A", "85123BL", "15056bl"])
def test_codes_with_five_digits_first_are_products(frame: pl.DataFrame, code: str) -> None:
    first = frame.head(1).with_columns(pl.lit(code).alias("StockCode"))
    assert clean_online_retail(first).purchases["item"].item() == code.upper()


@pytest.mark.parametrize("option", ["keep", "also"])
def test_unknown_rules_are_refused_with_the_nearest(frame: pl.DataFrame, option: str) -> None:
    with pytest.raises(UnknownNameError, match="cleaning rule 'canceled'") as error:
        clean_online_retail(frame, **{option: ["canceled"]})
    assert error.value.nearest == "cancelled"


def test_missing_columns_are_named(frame: pl.DataFrame) -> None:
    with pytest.raises(InputError, match="no column Quantity, CustomerID") as error:
        clean_online_retail(frame.drop("Quantity", "CustomerID"))
    assert [fault.column for fault in error.value.faults] == ["Quantity", "CustomerID"]


def _cells(frame: pl.DataFrame, moment: str, number: pl.Expr) -> pl.DataFrame:
    return frame.with_columns(pl.col("InvoiceDate").dt.strftime(moment), number)


@pytest.mark.parametrize(
    "moment", ["%-m/%-d/%Y %-H:%M", "%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M"]
)
@pytest.mark.parametrize("suffix", ["", ".0"])
def test_csv_in_its_usual_spellings_gives_the_same(
    frame: pl.DataFrame, tmp_path: Path, moment: str, suffix: str
) -> None:
    path = tmp_path / "online_retail.csv"
    _cells(frame, moment, pl.col("CustomerID") + suffix).write_csv(path)
    _assert_same(clean_online_retail(read_frame(path)), clean_online_retail(frame))


def test_csv_of_plain_numbers_only_gives_text_all_the_same(
    frame: pl.DataFrame, tmp_path: Path
) -> None:
    path, plain = tmp_path / "plain.csv", frame[[0, 4]]
    plain.write_csv(path)
    _assert_same(clean_online_retail(read_frame(path)), clean_online_retail(plain))


@pytest.mark.parametrize("customer", [pl.String, pl.Float64, pl.Int64])
def test_xlsx_and_parquet_give_the_same(
    frame: pl.DataFrame, tmp_path: Path, customer: type[pl.DataType]
) -> None:
    typed = frame.with_columns(pl.col("CustomerID").cast(customer))
    typed.write_parquet(tmp_path / "a.parquet")
    typed.write_excel(tmp_path / "a.xlsx", dtype_formats={pl.Float64: "0.000"})
    for name in ("a.parquet", "a.xlsx"):
        _assert_same(clean_online_retail(read_frame(tmp_path / name)), clean_online_retail(frame))


def test_missing_as_nan_is_missing(frame: pl.DataFrame) -> None:
    numbers = frame.with_columns(pl.col("CustomerID").cast(pl.Float64).fill_null(float("nan")))
    _assert_same(clean_online_retail(numbers), clean_online_retail(frame))
    priceless = frame.with_columns(pl.lit(float("nan")).alias("UnitPrice"))
    assert clean_online_retail(priceless).purchases.is_empty()


@pytest.mark.parametrize(
    ("column", "cell", "message"),
    [
        ("InvoiceDate", "13/1/2011 8:26", "row 2: '13/1/2011 8:26' is not a date"),
        ("InvoiceDate", None, "row 2: '' is not a date"),
        ("Quantity", "1.5", "row 2: '1.5' is not a whole number"),
        ("UnitPrice", "free", "row 2: 'free' is not a number"),
        ("UnitPrice", "inf", "row 2: 'inf' is not a number"),
    ],
)
def test_unreadable_cells_are_named(
    frame: pl.DataFrame, column: str, cell: str | None, message: str
) -> None:
    text = frame.with_columns(pl.col("InvoiceDate").dt.strftime("%Y-%m-%d %H:%M:%S"))
    text = text.with_columns(pl.col(column).cast(pl.String))
    broken = text.with_columns(
        pl.when(pl.int_range(pl.len()) == 1).then(pl.lit(cell)).otherwise(column).alias(column)
    )
    with pytest.raises(InputError) as error:
        clean_online_retail(broken)
    assert error.value.total == 1
    assert error.value.faults[0].column == column
    assert error.value.faults[0].message.show("en").startswith(message)


ROW = st.tuples(
    st.sampled_from(["500001", "C500001"]),
    st.sampled_from(["10001", "10002B", "POST"]),
    st.sampled_from(["A", "B"]),
    st.integers(-1, 2),
    st.sampled_from([MORNING, LATER]),
    st.sampled_from([-1.0, 0.0, 0.85]),
    st.sampled_from([None, "12345"]),
    st.just("Japan"),
)
PLAIN_RULES = {
    "cancelled": lambda row: row[0].startswith("C"),
    "no-customer": lambda row: row[6] is None,
    "not-positive-quantity": lambda row: row[3] <= 0,
    "not-positive-price": lambda row: row[5] <= 0,
    "non-product": lambda row: not row[1][:5].isdigit(),
}


@given(rows=st.lists(ROW, min_size=1, max_size=30), keep=st.sets(st.sampled_from(list(REMOVED))))
def test_cleaning_agrees_with_a_plain_loop(rows: list[tuple], keep: set[str]) -> None:
    schema = dict(
        zip(SOURCE_COLUMNS, [*[pl.String] * 3, pl.Int64, pl.Datetime, pl.Float64], strict=False)
    )
    schema |= {"CustomerID": pl.String, "Country": pl.String}
    cleaned = clean_online_retail(pl.DataFrame(rows, schema=schema, orient="row"), keep=keep)
    left, removed = rows, {}
    for name, wrong in PLAIN_RULES.items():
        if name not in keep:
            good = [row for row in left if not wrong(row)]
            removed[name], left = len(left) - len(good), good
    left = sorted(left, key=lambda row: row[4])
    assert _removed(cleaned) == removed
    assert cleaned.purchases.rows() == [
        (row[6], row[4].date(), row[1], row[5], row[3], row[0]) for row in left
    ]


def test_rules_are_told_in_both_languages() -> None:
    optional = {"duplicates", "unspecified-country", "bank-charges-and-pads"}
    assert {rule.name for rule in CLEANING_RULES} == {*optional, *REMOVED}
    for rule in CLEANING_RULES:
        assert rule.title.show("en").isascii()
        assert not rule.title.show("ja").isascii()


@pytest.mark.data
@pytest.mark.parametrize(
    ("options", "rows", "customers"),
    [
        ({"keep": ["non-product"]}, 397_884, 4_338),
        ({"keep": ["non-product"], "also": ["duplicates"]}, 392_692, 4_338),
        ({}, 396_337, 4_334),
    ],
)
def test_the_real_file_has_the_known_counts(
    real_data: Path, options: dict[str, list[str]], rows: int, customers: int
) -> None:
    cleaned = clean_online_retail(read_frame(real_data / "online_retail.parquet"), **options)
    assert cleaned.purchases.height == rows
    assert cleaned.purchases["customer"].n_unique() == customers
    assert 541_909 - sum(_removed(cleaned).values()) == rows
    assert set(cleaned.purchases["item"]) == set(cleaned.items["item"])
    assert cleaned.items["item"].is_unique().all()
    assert cleaned.purchases["day"].is_sorted()
    assert cleaned.purchases["day"].min() == date(2010, 12, 1)


def test_the_set_of_the_contests_keeps_postage_and_codes_as_written(frame: pl.DataFrame) -> None:
    """Of what is sold to somebody, only two codes and one country are left out."""
    sold = frame.filter(pl.col("CustomerID").is_not_null(), pl.col("Quantity") > 0).head(1)
    codes = ["POST", "PADS", "BANK CHARGES", "85123a", "85123A", "M"]
    rows = pl.concat([sold.with_columns(StockCode=pl.lit(code)) for code in codes])
    strange = sold.with_columns(Country=pl.lit("Unspecified"))
    cleaned = clean_online_retail(pl.concat([rows, strange]), cleaning="pwscup")
    assert cleaned.purchases["item"].to_list() == ["POST", "85123a", "85123A", "M"]
    assert _removed(cleaned)["unspecified-country"] == 1
    with pytest.raises(UnknownNameError):
        clean_online_retail(frame, cleaning="pwscup2015")


@pytest.mark.data
def test_the_contests_cleaning_gives_their_counts(real_data: Path) -> None:
    """Table 2 of the paper of 2017, and the files of both contests, whose customers are known."""
    cleaned = clean_online_retail(
        read_frame(real_data / "online_retail.parquet"), cleaning="pwscup"
    )
    found = cleaned.purchases
    counts = found.height, found["customer"].n_unique(), found["item"].n_unique()
    assert counts == (397_625, 4_333, 3_663)
    year = found.filter(pl.col("day") <= date(2011, 11, 30))
    for name, rows in (("pwscup2017", 44_917), ("pwscup2018", 81_776)):
        file = pl.read_csv(real_data / name / "T.csv", has_header=False, infer_schema=False)
        of_them = year.filter(pl.col("customer").is_in(file.to_series(0).unique().to_list()))
        assert of_them.height == file.height == rows


def _assert_same(found: CleanedRetail, expected: CleanedRetail) -> None:
    assert_frame_equal(found.purchases, expected.purchases)
    assert_frame_equal(found.items, expected.items)
    assert _removed(found) == _removed(expected)

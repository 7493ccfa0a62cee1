"""Price lists from files and functions, and whether they fit the data."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import polars as pl
import pytest

from apps.price.price_lists_helpers import GOOD, HEAD, read
from tokumei.apps.price.keyword_prices import read_keyword_prices
from tokumei.apps.price.session import PriceSession
from tokumei.core.errors import InputError, TokumeiError, UnknownNameError


def test_a_list_and_what_is_recorded_of_it(tmp_path: Path) -> None:
    prices = read(tmp_path, GOOD, "prices_2026-11-16_USD.csv")
    assert prices.patterns["age"]["decades"] == {"12": "10代", "13": "10代"}
    assert prices.prices["age"] == {"12才": 18, "13才": Decimal("33.5"), "10代": 37}
    assert prices.unpriced == [("sex", "male")]
    (record,) = prices.record()
    assert record["source"] == "prices_2026-11-16_USD.csv"
    assert (record["date"], record["currency"], len(record["sha256"])) == ("2026-11-16", "USD", 64)


FORMS = {
    "cp932": {"write": "cp932"},
    "utf-16": {"write": "utf-16"},
    "bom": {"write": "utf-8-sig"},
}


@pytest.mark.parametrize("form", FORMS)
def test_encodings(tmp_path: Path, form: str) -> None:
    assert read(tmp_path, GOOD, **FORMS[form]).patterns == read(tmp_path, GOOD, "b.csv").patterns


@pytest.mark.parametrize(
    "text",
    [
        GOOD.replace(",", "\t"),
        GOOD.replace(",", ";"),
        GOOD.replace("\n", "\r\n"),
        GOOD.replace("attribute,pattern,value,word,price", "属性,パターン,値,語,価格"),
        "".join(f"{line},x\n" for line in GOOD.splitlines()),  # a column that means nothing
        GOOD + "age,original,12,12才,18\n",  # a line twice
        GOOD + "age,original,12.0,12才,¥18.00\n",  # the same number, written otherwise
        GOOD + "sex,delete,m,,\nsex,delete,f,,0\n",  # delete is always there
    ],
    ids=["tab", "semicolon", "crlf", "japanese", "more", "repeated", "number", "delete"],
)
def test_forms_of_the_same_list(tmp_path: Path, text: str) -> None:
    found, plain = read(tmp_path, text), read(tmp_path, GOOD, "plain.csv")
    assert (found.patterns, found.prices) == (plain.patterns, plain.prices)


def test_date_and_currency_columns_and_options(tmp_path: Path) -> None:
    text = (
        "attribute,pattern,value,word,price,currency,date\n"
        "a,original,1,1,5,EUR,2026-01-02\na,original,2,2,5,eur,2026/01/03\n"
    )
    prices = read(tmp_path, text)
    assert (prices.currency, prices.date) == ("EUR", "2026-01-03")
    assert read(tmp_path, text, date="2026-02-01").date == "2026-02-01"
    with pytest.raises(InputError, match="EUR after USD"):
        read(tmp_path, text, currency="USD")
    for wrong in ({"currency": "yen"}, {"date": "tomorrow"}):
        with pytest.raises(TokumeiError):
            read(tmp_path, text, **wrong)


def test_columns_that_are_missing(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="word"):
        read(tmp_path, "attribute,pattern,value,price\na,original,1,5\n")


PEOPLE = pl.DataFrame({"age": [12, 12, 13], "sex": ["m", "f", "f"]})


def test_lists_that_do_not_fit_the_data(tmp_path: Path) -> None:
    prices = read(tmp_path, GOOD)
    with pytest.raises(InputError) as caught:
        PriceSession(PEOPLE.with_columns(age=pl.Series([12, 14, None])), prices)
    assert [(fault.rule, fault.column) for fault in caught.value.faults] == [
        ("missed-value", "age"),
    ] * 4  # 14 and the empty cell, in both patterns
    with pytest.raises(UnknownNameError, match="unknown column of the data 'sex'"):
        PriceSession(PEOPLE.drop("sex"), prices)
    with pytest.raises(UnknownNameError, match="unknown priced attribute 'income'"):
        PriceSession(PEOPLE, prices, columns=["income"])
    merged = read(tmp_path, HEAD + "age,original,12,child,1\nage,original,13,child,1\n", "m.csv")
    with pytest.raises(InputError, match="does not fit") as caught:
        PriceSession(PEOPLE, merged)
    assert caught.value.faults[0].rule == "original"
    dear = read(tmp_path, HEAD + "age,original,12,12,1e14\nage,original,13,13,0.000005\n", "d.csv")
    with pytest.raises(InputError, match="fewer digits"):
        PriceSession(PEOPLE, dear)


def test_currencies_do_not_mix(tmp_path: Path) -> None:
    export = tmp_path / "export.csv"
    export.write_text("Keyword,Avg. CPC\nmale,$9\n")
    with pytest.raises(InputError, match="one currency"):
        read(tmp_path, GOOD).with_prices(read_keyword_prices(export))
    bare = "attribute,pattern,value,word\na,original,m,male\n"
    assert read(tmp_path, bare).with_prices(read_keyword_prices(export)).currency == "USD"

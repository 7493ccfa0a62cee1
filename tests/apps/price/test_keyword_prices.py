"""Keyword-planner exports in the forms they come in."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest

from tokumei.apps.price.keyword_prices import normalize_keyword, read_keyword_prices
from tokumei.core.errors import InputError

PLANNER = """Keyword Stats 2026-11-02 at 10_15_30
November 1, 2025 - October 31, 2026
Keyword\tCurrency\tAvg. monthly searches\tTop of page bid (low range)\tTop of page bid (high range)
Teacher\tJPY\t5,000\t100\t300
farmer\tJPY\t10\t\t
doctor\tJPY\t900\t\t"1,250.5"
"""
JAPANESE = """キーワード,通貨,月間平均検索ボリューム,推奨入札単価
教員,JPY,100,"¥1,234"
医師,JPY,50,--
 学 生 ,JPY,9,¥100 – ¥201
"""
BID = "ページ上部に掲載された広告の入札単価"
RANGES = f"キーワード;{BID}(低額帯);{BID}(高額帯)\n教員;¥10;¥20\n"


def written(folder: Path, text: str, encoding: str = "utf-8", name: str = "export.csv") -> Path:
    path = folder / name
    path.write_bytes(text.encode(encoding))
    return path


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8", "utf-8-sig"])
def test_planner_with_a_preamble(tmp_path: Path, encoding: str) -> None:
    found = read_keyword_prices(written(tmp_path, PLANNER, encoding))
    assert found.prices == {"teacher": 200, "farmer": None, "doctor": Decimal("1250.5")}
    assert (found.origin.currency, found.origin.date) == ("JPY", "2026-11-02")
    assert found.price("ＴＥＡＣＨＥＲ") == 200
    assert found.price("nobody") is None


@pytest.mark.parametrize("encoding", ["utf-8", "cp932"])
def test_japanese_columns(tmp_path: Path, encoding: str) -> None:
    text = JAPANESE if encoding == "utf-8" else JAPANESE.replace("–", "-").replace("¥", "")
    found = read_keyword_prices(written(tmp_path, text, encoding, "bids_20261103_JPY.csv"))
    assert found.price("教員") == 1234
    assert found.price("医師") is None
    assert found.price("学 生") == Decimal("150.5")
    assert found.origin.date == "2026-11-03"
    assert found.origin.sha256 is not None


def test_ranges_become_their_middle(tmp_path: Path) -> None:
    found = read_keyword_prices(written(tmp_path, RANGES))
    assert found.price("教員") == 15
    assert found.origin.currency == "JPY"


def test_a_currency_in_the_header(tmp_path: Path) -> None:
    found = read_keyword_prices(written(tmp_path, "Keyword,Suggested bid (USD)\na,1.5\n"))
    assert (found.price("a"), found.origin.currency) == (Decimal("1.5"), "USD")


WRONG = {
    # no header that can be understood
    "word,money\na,1\n": "no header",
    "": "empty",
    # the same keyword twice, at two prices; spelling does not make two of it
    "Keyword,Avg. CPC\nA b,1\n a  B,2\n": "two-prices",
    "Keyword,Avg. CPC\na,-1\n": "price",
    "Keyword,Avg. CPC\na,nan\n": "price",
    "Keyword,Avg. CPC\na,¥1\nb,$1\n": "currency",
    "Keyword,Currency,Avg. CPC\na,JPY,1\nb,EUR,1\n": "currency",
    "Keyword,Currency,Avg. CPC\na,JPY,$1\n": "currency",
}


@pytest.mark.parametrize("text", WRONG, ids=WRONG.values())
def test_exports_that_cannot_be_used(tmp_path: Path, text: str) -> None:
    with pytest.raises(InputError) as caught:
        read_keyword_prices(written(tmp_path, text))
    expected = WRONG[text]
    if caught.value.faults:
        (fault,) = caught.value.faults
        assert (fault.rule, fault.line) == (expected, len(text.splitlines()))
    else:
        assert expected in caught.value.message.show("en")


def test_the_same_price_twice_is_no_fault(tmp_path: Path) -> None:
    assert read_keyword_prices(written(tmp_path, "Keyword,CPC\na,1\nA,1.0\na,\n")).prices == {
        "a": 1
    }


def test_what_platforms_ignore() -> None:
    assert normalize_keyword(' [Ｆｒｅｅ  "WiFi] ') == 'free "wifi'

"""Histories from files: strict, with every bad cell and its line."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import polars as pl
import pytest

from histories.formats.reading_helpers import T
from tokumei import read_history
from tokumei.core.errors import MAX_SHOWN_VIOLATIONS, InputError, UnknownNameError, UsageError
from tokumei.files.atomic_write import write_all
from tokumei.files.contest_files import contest_file_output
from tokumei.histories.data.generalized_history import format_history
from tokumei.histories.data.history import COLUMNS, History
from tokumei.histories.formats.online_retail import OnlineRetail
from tokumei.histories.registry import formats


def refused(path: Path, **options) -> InputError:
    with pytest.raises(InputError) as caught:
        read_history(path, **options)
    assert str(path) in caught.value.message.show("en")
    assert str(path) in caught.value.message.show("ja")
    return caught.value


class TestContestFormat:
    def test_cells_are_exact(self, make):
        history = read_history(make(T), format="pws2018")
        assert history.decimals == 3
        assert history.frame.rows() == [
            ("17850", date(2010, 12, 1), "85123A", 2550, 6),
            ("13047", date(2011, 1, 31), "84879", 1125, 32),
            ("17850", date(2010, 12, 1), "22745", 3000, -1),
        ]
        assert history.customers.to_list() == ["17850", "13047"]

    @pytest.mark.parametrize("encoding", ["utf-8-sig", "cp932"])
    def test_encodings(self, make, encoding):
        path = make("顧客,2010/12/1,ティー,1,2\r\n".encode(encoding))
        assert read_history(path, format="pws2018").frame.row(0)[:3] == (
            "顧客",
            date(2010, 12, 1),
            "ティー",
        )

    def test_the_file_written_is_the_file_read(self, make, tmp_path):
        history = read_history(make(T), format="pws2018")
        write_all([contest_file_output(format_history(history), tmp_path / "b.csv")])
        assert (tmp_path / "b.csv").read_text() == T

    @pytest.mark.parametrize(
        ("line", "column"),
        [
            ("1,2010-12-01,a,1,1", "day"),
            ("1,2010/2/30,a,1,1", "day"),
            ("1,2010/12/1 8:26,a,1,1", "day"),
            ("1,[2010/12/1;2010/12/2],a,1,1", "day"),
            ("1,*,a,1,1", "day"),
            ("1,2010/12/1,a,1e3,1", "price"),
            ("1,2010/12/1,a,1.1234567,1", "price"),
            ("1,2010/12/1,a,,1", "price"),
            ("1,2010/12/1,a,1,1.0", "quantity"),
            ("1,2010/12/1,a,1,１", "quantity"),
            ("1,2010/12/1,,1,1", "item"),
            (",2010/12/1,a,1,1", "customer"),
        ],
    )
    def test_bad_cells_are_named(self, make, line, column):
        error = refused(make(T + line + "\n"), format="pws2018")
        assert [(fault.line, fault.column) for fault in error.faults] == [(4, column)]
        assert error.total == 1

    def test_all_bad_cells_are_counted(self, make):
        error = refused(make("1,x,a,y,z\n" * 30), format="pws2018")
        assert error.total == 90
        assert len(error.faults) == MAX_SHOWN_VIOLATIONS
        assert [fault.line for fault in error.faults[:4]] == [1, 1, 1, 2]
        assert "'x'" in error.faults[0].message.show("en")

    def test_ragged_lines_are_named(self, make):
        error = refused(make(T + "1,2\n\n" + T), format="pws2018")
        assert [fault.line for fault in error.faults] == [4, 5]

    @pytest.mark.parametrize("content", ["", "\n"])
    def test_no_purchases(self, make, content):
        assert "no purchases" in refused(make(content), format="pws2018").message.show("en")

    def test_columns_have_no_names(self, make):
        with pytest.raises(UsageError, match="does not use columns"):
            read_history(make(T), format="pws2018", columns={"day": "Day"})

    def test_the_separator_is_a_comma(self, make):
        assert read_history(make(T), format="pws2018", sep=",").rows == 3
        with pytest.raises(UsageError, match="always a comma"):
            read_history(make(T), format="pws2018", sep=";")

    def test_another_format_is_unknown(self, make):
        with pytest.raises(UnknownNameError, match="'pws2018'"):
            read_history(make(T), format="pws2081")


class TestTable:
    def test_named_columns(self, make):
        path = make(
            'who;day;商品;price;quantity;shop\n7;2011-01-31;"a;b";1.5;2;x\n8;2011/2/1;"c,d";2;3;y\n'
        )
        history = read_history(path, columns={"customer": "who", "item": "商品"})
        assert history.frame.columns == [*COLUMNS, "shop"]
        assert history.item_names.to_list() == ["a;b", "c,d"]

    def test_leading_zeros_stay(self, make):
        path = make("customer,day,item,price,quantity\n007,2011-01-31,0010,1,1\n")
        assert read_history(path).frame.row(0)[::2][:2] == ("007", "0010")

    def test_lines_are_those_of_the_file(self, make):
        path = make(
            'customer,day,item,price,quantity\n1,2011-01-31,"two\nlines",1,1\n1,soon,a,1,1\n'
        )
        error = refused(path)
        assert [(fault.line, fault.column) for fault in error.faults] == [(4, "day")]

    def test_a_separator_can_be_given(self, make):
        path = make("customer|day|item|price|quantity\n1|2011-01-31|a|1|1\n")
        assert read_history(path, sep="|").rows == 1

    @pytest.mark.parametrize("name", ["where", "items", "date"])
    def test_other_columns_have_no_names(self, make, name):
        with pytest.raises(UnknownNameError, match=name):
            read_history(make(T), columns={name: "x"})

    def test_missing_columns_are_named(self, make):
        assert "customer=who" in refused(make(T), columns={"customer": "who"}).message.show("en")


class TestWritable:
    @staticmethod
    def history(items: list[str]) -> History:
        cells = {"customer": "1", "day": "2011/1/1", "price": 1, "quantity": 1}
        return History.of(pl.DataFrame([{**cells, "item": item} for item in items]))

    @pytest.mark.parametrize("format", ["pws2018", "table"])
    def test_ordinary_names_fit(self, format):
        formats.get(format).require_writable(self.history(["85123A", "a*b", "[x]", "紅茶", "a b"]))

    @pytest.mark.parametrize("item", ["a,b", "a;b", "{a", "a}", 'a"b', "a\nb", "a\rb", "*"])
    @pytest.mark.parametrize("format", ["pws2018", "table"])
    def test_signs_of_the_format_do_not(self, format, item):
        history = self.history(["85123A", item])
        if format == "table" and item in ("a,b", 'a"b', "a\nb", "a\rb"):
            formats.get(format).require_writable(history)
            return
        with pytest.raises(InputError, match="Map it to a code or a category first") as caught:
            formats.get(format).require_writable(history)
        assert caught.value.total == 1
        assert repr(item) in caught.value.faults[0].message.show("en")

    def test_all_such_items_are_counted(self):
        with pytest.raises(InputError) as caught:
            formats.get("pws2018").require_writable(self.history([f"{i};" for i in range(30)]))
        assert (caught.value.total, len(caught.value.faults)) == (30, MAX_SHOWN_VIOLATIONS)


RETAIL = (
    "InvoiceNo,StockCode,Description,Quantity,InvoiceDate,UnitPrice,CustomerID,Country\n"
    "536365,85123a,HOLDER,6,2010-12-01 08:26:00,2.55,17850,United Kingdom\n"
    "C536379,22632,WARMER,-1,2010-12-01 09:41:00,1.85,17850,United Kingdom\n"
    "536367,22632,WARMER,2,2010-12-01 08:34:00,1.85,13047,United Kingdom\n"
)


def test_online_retail_is_cleaned_and_says_so(make):
    path = make(RETAIL)
    history, cleaned = OnlineRetail().cleaned(path)
    assert sum(rule.removed for rule in cleaned.rules) == 1
    assert history.frame.select(COLUMNS).rows() == [
        ("17850", date(2010, 12, 1), "85123A", 255, 6),
        ("13047", date(2010, 12, 1), "22632", 185, 2),
    ]
    assert history.items is not None
    assert read_history(path, format="online-retail").frame.equals(history.frame)
    kept, _ = OnlineRetail(keep=("cancelled", "not-positive-quantity")).cleaned(path)
    assert kept.rows == 3


@pytest.mark.data
def test_the_contest_file(real_data):
    history = read_history(real_data / "pwscup2018" / "T.csv", format="pws2018")
    assert (history.rows, len(history.customers), history.decimals) == (81_776, 1_000, 2)
    formats.get("pws2018").require_writable(history)

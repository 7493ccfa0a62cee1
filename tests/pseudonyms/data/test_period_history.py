"""An original with its customers: what it needs, and what it says when something is missing."""

from __future__ import annotations

import pytest

import tokumei as tk
from support.period_histories import history_of
from tokumei.core.errors import InputError, UsageError

ROWS = [
    "A,0,2010/12/1,9:09,21258,10.95,32",
    "B,0,2011/2/28,23:59,22941,8.5,6",
    "A,0,2011/2/1,0:00,21258,4,1",
]


def test_the_parts_of_an_original():
    history = history_of(ROWS, ["C", "B", "A"])
    assert history.months.names == ["2010-12", "2011-01", "2011-02"]
    assert history.person.tolist() == [2, 1, 2]
    assert history.period.tolist() == [0, 2, 2]
    assert history.items.to_list() == ["21258", "22941"]
    assert history.item.tolist() == [0, 1, 0]
    assert repr(history) == "PeriodHistory(rows=3, customers=3, periods=3)"


def test_customers_who_are_not_in_the_list_are_named():
    with pytest.raises(InputError, match=r"2 customers are not among the customers \(M\): A, B"):
        history_of(ROWS, ["C"])


@pytest.mark.parametrize(
    ("line", "column"),
    [
        ("A,0,2011/2/29,9:09,x,1,1", "day"),
        ("A,0,2011/2/1,24:00,x,1,1", "time"),
        ("A,0,2011/2/1,9:09,x,free,1", "price"),
        ("A,0,2011/2/1,9:09,x,1,", "quantity"),
        ("DEL,,,,,,", "customer"),
    ],
)
def test_unusable_cells_are_listed_by_line(tmp_path, line, column):
    (tmp_path / "T.csv").write_text("\n".join([*ROWS, line]) + "\n")
    (tmp_path / "M.csv").write_text("A,f,1960/1/1,Japan\nB,m,1960/1/1,Japan\n")
    with pytest.raises(InputError) as caught:
        tk.read_history(tmp_path / "T.csv", format="pws2017", master=tmp_path / "M.csv")
    assert column in {fault.column for fault in caught.value.faults}
    assert {fault.line for fault in caught.value.faults} == {4}


def test_a_customer_cannot_be_called_DEL():
    with pytest.raises(InputError, match="stands for a deleted row"):
        history_of(ROWS, ["A", "B", "DEL"])


def test_reading_needs_the_customers(tmp_path):
    (tmp_path / "T.csv").write_text("\n".join(ROWS))
    with pytest.raises(UsageError, match="'master' is needed"):
        tk.read_history(tmp_path / "T.csv", format="pws2017")
    with pytest.raises(UsageError, match="does not use master"):
        tk.read_history(tmp_path / "T.csv", format="pws2018", master=tmp_path / "M.csv")

"""Files of other scripts, currencies and habits; nobody leaves in a remark."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import tokumei as tk
from fuzz.judged import run
from tokumei.core.parsing.numbers import parse_numbers

ROWS = 60


@pytest.mark.parametrize(
    ("cells", "values"),
    [
        (["1.234,50 €", "12,00 €"], [1234.5, 12.0]),
        (["₹ 1,23,456", "₹ 99,000", "₹ 8,00,000", "₹ 2,00,500"], [123456.0, 99000, 8e5, 200500]),
        (["160,000원", "5,000원"], [160000.0, 5000.0]),
        (["R$ 1.200,00", "R$ 3,50"], [1200.0, 3.5]),
        (["12,50 руб.", "900,00 руб."], [12.5, 900.0]),
        (["1.234.000", "450.000"], [1234000.0, 450000.0]),
        (["1.234", "2.5"], [1.234, 2.5]),
        (["3.0", "4.0"], [3.0, 4.0]),
    ],
)
def test_money_of_other_countries_is_read_where_the_column_decides(
    cells: list[str], values: list[float]
) -> None:
    assert parse_numbers(pl.Series(cells)).values.to_list() == values


def remarks(tmp_path: Path) -> Path:
    some = ["", "zahlt bar"]
    names = ["Oltmanns", "Kröger", "Tietjen", "Ahlers", "Wörner"]
    rows = [
        f"{1940 + i};{'mw'[i % 2]};" + (f"Mahnung an {names[i // 12]} geschickt" if i % 12 == 0 else
        f"erreichbar 0421 / 55{i:04d}" if i % 17 == 1 else some[i % 2])
        for i in range(ROWS)
    ]  # fmt: skip
    source = tmp_path / "mieter.csv"
    source.write_bytes("\n".join(["Jahrgang;Geschlecht;Sonstiges", *rows]).encode("cp1252"))
    return source


def test_remarks_of_few_values_are_asked_about(tmp_path: Path) -> None:
    source, out = remarks(tmp_path), tmp_path / "y.csv"
    asked = ["anonymize", "table", "--data", str(source), "--k", "3", "--out", str(out)]
    assert tk.look(source)["Sonstiges"].fate == "ask"
    assert run(asked).code == 1
    assert not out.exists()
    assert run([*asked, "--answers", "defaults"]).code == 0
    assert b"0421" not in out.read_bytes()
    assert b"Tietjen" not in out.read_bytes()


def test_telephone_numbers_in_remarks_are_found_and_replaced(tmp_path: Path) -> None:
    found = tk.look(remarks(tmp_path))["Sonstiges"]
    assert [one.type for one in found.pii] == ["phone"]


@pytest.mark.parametrize("option", ["--pass", "--sa"])
def test_a_text_that_stays_is_said_to_stay(option: str, tmp_path: Path) -> None:
    source, out = tmp_path / "x.csv", tmp_path / "y.csv"
    rows = [f'{20 + i % 9},"visit {i} went well, thanks to a kind lady."' for i in range(ROWS)]
    source.write_text("\n".join(["age,remark", *rows]))
    asked = ["anonymize", "table", "--data", str(source), "--qi", "age", "--k", "3"]
    ran = run([*asked, option, "remark", "--out", str(out)])
    assert ran.code == 0, ran.err
    assert "text was kept in remark; names in it cannot be ruled out" in ran.err

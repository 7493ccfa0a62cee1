"""Tests of tokumei.pseudonyms.formats.pws2017."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from pseudonyms.attackers.sample_keys_helpers import SAMPLES, guess, loop, owners
from pseudonyms.data.knowledge_helpers import known
from pseudonyms.data.rows_and_tables_helpers import RELEASED, T
from support.period_rows import rows_of
from tokumei import anonymize
from tokumei.core.errors import InputError
from tokumei.core.randomness import Randomness
from tokumei.files.atomic_write import write_all
from tokumei.pseudonyms.anonymizers.pseudonyms import Pseudonyms
from tokumei.pseudonyms.data.pseudonym_table import PseudonymTable
from tokumei.pseudonyms.data.purchase_text_cells import PERIOD_COLUMNS, Months
from tokumei.pseudonyms.formats.pws2017 import (
    read_master,
    read_period_history,
    read_rows,
    read_table,
    rows_output,
    table_output,
)


@pytest.mark.long
@pytest.mark.data
def test_the_contest_files_give_what_the_loop_gives(real_data):
    folder = real_data / "pwscup2017"
    history = read_period_history(folder / "T.csv", folder / "M.csv")
    release = Pseudonyms(lifetime=3, price_noise=0.02, delete=0.05).anonymize(
        history, rng=Randomness(1)
    )
    public, customers = release.public, history.master.customers
    owner = {attack: owners(public.cells.iter_rows(), attack.key) for attack in SAMPLES}
    for alpha in (25, 50, 75, 100):
        known = read_rows(folder / f"T{alpha}.csv")
        heard = [row for row in known.cells.iter_rows() if row[0] != "DEL"]
        for attack in SAMPLES:
            expected = loop(owner[attack], heard, attack.key, customers, history.months)
            assert guess(attack, public, known, customers, history.months) == expected


@pytest.mark.data
def test_as_much_as_the_contests_files_know(real_data):
    folder = real_data / "pwscup2017"
    rows = read_rows(folder / "T.csv")
    for percent in (25, 50, 75, 100):
        theirs = read_rows(folder / f"T{percent}.csv")
        ours = known(rows, alpha=percent / 100, prefix={"item": 2})
        assert ours.kept.sum() == theirs.kept.sum()
    assert ours.cells.equals(theirs.cells)


def test_files_come_back_as_they_were(tmp_path: Path) -> None:
    original, released = rows_of(T), rows_of(RELEASED)
    table = PseudonymTable.of_rows(
        original,
        released,
        customers=pl.Series("customer", ["A", "B"]),
        months=Months.spanning(original.days),
    )
    rows, f = tmp_path / "A.csv", tmp_path / "F.csv"
    write_all([rows_output(released, rows, secret=True), table_output(table, f)])
    assert rows.read_text() == "\n".join(RELEASED) + "\n"
    assert f.read_text() == "A,q,p\nB,DEL,DEL\n"
    assert f.stat().st_mode & 0o077 == 0
    assert read_rows(rows).cells.equals(released.cells)
    assert read_table(f, periods=2).cells().equals(table.cells())


def test_a_line_with_too_few_fields_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "T.csv"
    path.write_text(T[0] + "\nA,0,2010/12/1\n")
    with pytest.raises(InputError, match="line 2"):
        read_rows(path)


def test_a_customer_stands_in_the_master_once(tmp_path: Path) -> None:
    path = tmp_path / "M.csv"
    path.write_text("A,f,1950/1/1,Others\nB,m,1960/1/1,UK\nA,f,1950/1/1,Others\n")
    with pytest.raises(InputError, match="1 customer"):
        read_master(path)
    path.write_text("A,f,1950/1/1,Others\nB,m,1960/1/1,UK\n")
    assert read_master(path).customers.to_list() == ["A", "B"]


@pytest.mark.data
def test_monthly_pseudonyms_of_the_contests_data_keep_all_rules(real_data):
    folder = real_data / "pwscup2017"
    history = read_period_history(folder / "T.csv", folder / "M.csv")
    made = anonymize(history, "pseudonyms", lifetime=1, seed=1)
    assert made.rows.kept.all()
    assert (made.table.codes >= 0).sum() == len(made.public.people) == 1348
    rest = list(PERIOD_COLUMNS[1:])
    assert made.rows.cells.select(rest).equals(history.rows.cells.select(rest))

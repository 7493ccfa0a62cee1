"""`tokumei measure utility|safety --format pws2017`, from files to figures."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from tokumei.core.attack_rates import wilson
from tokumei.files.atomic_write import write_all
from tokumei.pseudonyms.data.pseudonym_table import PseudonymTable
from tokumei.pseudonyms.data.purchase_text_cells import Months, PeriodRows
from tokumei.pseudonyms.formats.pws2017 import read_master, read_rows, rows_output, table_output

NINE = ["itemcf", "itemcf_supply", "itemcf_retail", "topk", "topk_similarity", "date", "price",
        "rows", "worst"]  # fmt: skip


T = """c1,0,2011/1/3,9:00,a,2.5,3
c1,0,2011/1/3,9:00,b,1,14
c2,0,2011/1/9,9:30,a,2.5,12
c2,0,2011/2/9,9:30,b,1,20
c3,0,2011/2/20,10:00,a,2.5,1
"""


A = """x1,0,2011/1/3,9:00,a,2.5,3
x1,0,2011/1/3,9:00,b,2,14
x2,0,2011/1/9,9:30,a,2.5,12
y2,0,2011/2/9,9:30,b,1,20
DEL,,,,,,
"""


M = "c1,f,1950/1/1,Others\nc2,f,1950/1/1,Others\nc3,m,1960/1/1,France\n"


F = "c1,x1,DEL\nc2,x2,y2\nc3,DEL,DEL\n"


GUESS = "c1,x1,DEL\nc2,y2,y2\nc3,x2,DEL\n"


S = """x1,0,2011/1/3,9:00,a,2.5,3
x1,0,2011/1/3,9:00,b,2,14
x2,0,2011/1/9,9:30,a,2.5,12
y2,0,2011/2/9,9:30,b,1,20
"""


@pytest.fixture
def measure(tokumei):
    """Run `tokumei measure … --format pws2017` beside the small files."""
    for name, text in {"T": T, "A": A, "M": M, "F": F, "G": GUESS, "S": S}.items():
        Path(f"{name}.csv").write_text(text)

    def run(what, *args, code=0):
        done = tokumei("measure", what, "--format", "pws2017", *args)
        assert done.code == code, done.err
        return done

    return run


UTILITY = ("utility", "--original", "T.csv", "--release", "A.csv")


SAFETY = ("safety", "--secret", "F.csv")


def test_utility_prints_the_contracts_nine(measure):
    found = measure(*UTILITY, "--master", "M.csv", "--json").json
    assert list(found) == NINE
    assert found["price"] == 0.5 / 5
    assert found["rows"] == 0.2
    assert found["date"] == 0
    # a and b are alike by c1 and c2 (of 3 and 2 buyers); then by x1 alone of 2 and 2.
    assert found["topk_similarity"] == pytest.approx(1 - (1 / 2) / (2 / 6**0.5))
    assert found["worst"] == max(found[name] for name in NINE[1:-1])


def test_utility_measures_what_is_named_and_shows_it_in_words(measure):
    found = measure(*UTILITY, "--measures", "rows,master_k", "--master", "M.csv", "--json").json
    assert found == {"rows": 0.2, "master_k": 1}
    everything = measure(*UTILITY, "--measures", "all", "--master", "M.csv", "--json").json
    assert list(everything)[:9] == NINE
    assert {"association_rules", "cross_tables", "rfm"} <= everything.keys()
    assert "cross_tables" not in measure(*UTILITY, "--measures", "all", "--json").json
    assert "Rows deleted" in measure(*UTILITY, "--measures", "rows").out


def test_utility_takes_parameters_and_the_papers_definitions(measure):
    one = measure(*UTILITY, "--measures", "topk", "--set", "topk.k=1", "--json").json
    # a has the most buyers in T; in A(T) both have two, and b is the larger text.
    assert one == {"topk": 1.0}
    plain, paper = (
        measure(*UTILITY, "--measures", "itemcf_supply,itemcf", "--json", *more).json
        for more in ((), ("--as-paper",))
    )
    # Nobody bought a dozen times: no pair is left to lose. The diagonal never changed.
    assert plain["itemcf_supply"] > 0
    assert paper["itemcf_supply"] == 0
    assert 0 < paper["itemcf"] < plain["itemcf"]


def test_safety_prints_rates_intervals_and_chance(measure):
    found = measure(*SAFETY, "--guess", "G.csv", "--public", "S.csv", "--json").json
    assert {name: found[name] for name in found if name != "details"} == {
        "reid_pairs": 2 / 6,
        "reid_active": 2 / 3,
        "reid_all": 1 / 3,
        "reid_rows": 3 / 4,
    }
    low, high = wilson(1, 3)
    # c1: own pseudonym, then none as 2 of 3; c2: two own ones; c3: none as 1 and as 2 of 3.
    chance = (1 / 3 * 2 / 3 + 1 / 9 + 1 / 3 * 2 / 3) / 3
    assert found["details"]["reid_all"] == pytest.approx(
        {"value": 1 / 3, "low": low, "high": high, "baseline": chance, "sample": 3}
    )
    assert "reid_rows" not in measure(*SAFETY, "--guess", "G.csv", "--json").json
    shown = measure(*SAFETY, "--guess", "G.csv").out
    assert "0.333333" in shown
    assert f"{low:.4f}–{high:.4f}" in shown


def test_safety_scores_a_map(measure):
    Path("H.csv").write_text("1,x1,c1\n2,y2,c2\n1,x2,c3\n")
    found = measure(*SAFETY, "--guess-map", "H.csv", "--public", "S.csv", "--json").json
    assert found["reid_pairs"] == 2 / 6
    assert found["reid_rows"] == 3 / 4
    Path("H.csv").write_text("1,x1,c1\nfirst,y2,c2\n")
    assert "line 2" in measure(*SAFETY, "--guess-map", "H.csv", code=2).err


def test_the_original_says_which_month_is_the_first(measure):
    late = "".join(f"{line}\n" for line in S.splitlines() if "2011/2" in line)
    Path("late.csv").write_text(late)
    given = (*SAFETY, "--guess", "G.csv", "--public", "late.csv", "--json")
    assert "1 months" in measure(*given, code=2).err
    assert measure(*given, "--original", "T.csv").json["reid_rows"] == 1


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ((*UTILITY, "--measures", "topp"), "topk"),
        ((*UTILITY, "--measures", "cross_tables"), "--master"),
        ((*UTILITY, "--set", "rows=4"), "unknown parameter 'rows'"),
        (("utility", "--original", "T.csv", "--release", "F.csv"), "7 fields"),
        (("utility", "--original", "T.csv", "--release", "S.csv"), "same rows"),
        (("utility", "--release", "S.csv"), "--original"),
        (("safety", "--guess", "G.csv"), "--secret"),
        (SAFETY, "--guess-map"),
        ((*SAFETY, "--guess", "G.csv", "--guess-map", "G.csv"), "--guess-map"),
        ((*SAFETY, "--guess", "M.csv"), "3 fields"),
        (("safety", "--secret", "empty.csv", "--guess", "G.csv"), "no pseudonyms"),
    ],
)
def test_wrong_usage_is_told(measure, args, message):
    Path("empty.csv").write_text("")
    done = measure(*args, code=2)
    assert message in done.err
    assert done.out == ""


def test_the_table_may_be_parquet(measure):
    for name in ("F", "G"):
        pl.read_csv(f"{name}.csv", has_header=False).write_parquet(f"{name}.parquet")
    found = measure("safety", "--secret", "F.parquet", "--guess", "G.parquet", "--json").json
    assert found["reid_all"] == 1 / 3


def test_the_other_format_still_needs_its_own_options(tokumei):
    done = tokumei("measure", "safety", "--guess", "G.csv")
    assert done.code == 2
    assert "--format pws2018 needs --original" in done.err


@pytest.mark.data
def test_a_perfect_guess_of_the_contests_data(measure, real_data):
    folder = real_data / "pwscup2017"
    original, master = read_rows(folder / "T.csv"), read_master(folder / "M.csv")
    month = pl.col("day").str.extract(r"^(\d+)/").add(pl.col("day").str.extract(r"/(\d+)/"))
    name = pl.format("p{}_{}", pl.col("customer"), month)
    released = PeriodRows(original.cells.with_columns(customer=name))
    truth = PseudonymTable.of_rows(
        original, released, customers=master.customers, months=Months.spanning(original.days)
    )
    write_all([rows_output(released, "AT.csv"), table_output(truth, "true.csv")])
    found = measure("utility", "--master", folder / "M.csv", "--original", folder / "T.csv",
                    "--release", "AT.csv", "--json").json  # fmt: skip
    assert round(found["worst"], 6) == 0.853025
    rates = measure("safety", "--secret", "true.csv", "--guess", "true.csv", "--public", "AT.csv",
                    "--json").json  # fmt: skip
    assert rates["reid_pairs"] == pytest.approx(1348 / 6000)
    assert rates["reid_active"] == rates["reid_all"] == rates["reid_rows"] == 1

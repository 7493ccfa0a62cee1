"""Tests of tokumei.apps.papers.own.own_prices."""

import pytest

from apps.papers.own.own_study_samples import make_blocks, rows_of
from tokumei.core.errors import UsageError

PRICES = """attribute,pattern,value,word,price
age,original,12,12,18
age,original,13,13,33
age,original,14,14,0
age,original,15,15,29
age,decades,12,10s,37
age,decades,13,10s,37
age,decades,14,10s,37
age,decades,15,10s,37
sex,original,f,f,5
sex,original,m,m,7
"""


@pytest.fixture(scope="module")
def blocks(tmp_path_factory):
    folder = tmp_path_factory.mktemp("own")
    ages = ["12"] * 2 + ["13"] * 7 + ["14"] + ["15"] * 3
    lines = [f"{age},{'fm'[place % 2]}" for place, age in enumerate(ages)]
    (folder / "people.csv").write_text("age,sex\n" + "\n".join(lines) + "\n", encoding="utf-8")
    (folder / "prices.csv").write_text(PRICES, encoding="utf-8")
    return make_blocks("002", folder / "people.csv", patterns=str(folder / "prices.csv"))


def test_the_ages_of_the_papers_table_1_are_worth_354_and_481(blocks):
    sums = [row[3] for row in rows_of(blocks["table1"]) if str(row[0]) == "sum"]
    assert sums == [354, 481]


def test_the_best_recoding_is_the_decade(blocks):
    assert rows_of(blocks["table5"])[0][2] == "decades"
    assert [row[2] for row in rows_of(blocks["table2"])] == ["10s"] * 4
    values = {row[0]: row[1] for row in rows_of(blocks["figure5"])}
    assert values["M(k)"] == pytest.approx(values["S(k)"] / values["S(e)"])


def test_classes_by_calculation_stand_beside_the_patterns(blocks):
    rows = {row[0]: row[1:] for row in rows_of(blocks["table6"])}
    assert rows["original"][:3] == [4, 1, 7]
    assert set(rows) == {"original", "decades", "sturges", "deciles", "pareto"}
    assert rows["pareto"][0] == 2


def test_combinations_are_those_of_the_papers_figure_2(blocks):
    assert rows_of(blocks["figure2"]) == [[1, 6], [2, 8]]


def test_the_listing_as_printed_leaves_out_the_first(blocks):
    assert "leaves out the most expensive pattern" in str(blocks["table3_priority"].made.note)


def test_too_few_patterns_tell_nothing(blocks):
    assert str(blocks["figure8"].made.note).startswith("Too few patterns")


def test_a_price_list_is_needed(tmp_path):
    (tmp_path / "people.csv").write_text("age\n1\n2\n", encoding="utf-8")
    with pytest.raises(UsageError, match="price list"):
        make_blocks("002", tmp_path / "people.csv")

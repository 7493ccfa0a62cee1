"""Tests of tokumei.apps.papers.own.own_table_examples."""

import polars as pl
import pytest

from apps.papers.own.own_study_samples import make_blocks, rows_of, write_table
from tokumei.core.errors import UsageError

ROLES = {"qi": "household_size,earners,region", "sa": "food,housing", "pairs": "DA+DF"}


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return write_table(tmp_path_factory.mktemp("own"))


@pytest.fixture(scope="module")
def blocks(path):
    return make_blocks("003", path, **ROLES, unify_outside="region", unify_inside="earners")


def test_the_first_rows_stand_beside_their_releases(blocks, path):
    original = pl.read_csv(path).select("household_size", "earners", "region", "food", "housing")
    assert [tuple(row) for row in rows_of(blocks["table2a"])] == original.head(4).rows()
    unified = rows_of(blocks["table3"])
    assert len({row[2] for row in unified}) == 1
    assert [row[3:] for row in unified] == [list(row[3:]) for row in original.head(4).rows()]
    assert [row[3:] for row in rows_of(blocks["table2b"])] != [row[3:] for row in unified]


def test_the_index_names_the_rows_of_a_vector(blocks, path):
    frame = pl.read_csv(path).with_row_index("row", offset=1)
    for key, rows, count in rows_of(blocks["table5_1"]):
        values = key.strip("()").split(", ")
        same = frame.filter(
            pl.concat_list(pl.col("household_size", "earners", "region").cast(pl.String)).list.join(
                ", "
            )
            == ", ".join(values)
        )
        assert (same["row"].to_list()[:4], same.height) == (rows, count)


def test_what_each_method_changed(blocks):
    changed = {row[0]: row[2] for row in rows_of(blocks["table7"])}
    assert changed["DB"] == changed["DF"] == "SA"
    assert changed["DA"] == changed["DD"] == changed["DE"] == "QI"
    assert (changed["DC"], changed["DH"]) == ("ID", "rows")


def test_rows_are_drawn_and_roles_needed(path):
    few = make_blocks("003", path, **ROLES, rows=40)
    assert "40" in str(few["table11"].title)
    with pytest.raises(UsageError, match="--set qi"):
        make_blocks("003", path, qi="region", sa=[])

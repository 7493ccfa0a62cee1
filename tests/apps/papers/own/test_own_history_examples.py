"""Tests of tokumei.apps.papers.own.own_history_examples."""

import polars as pl
import pytest

from apps.papers.own.own_study_samples import make_blocks, rows_of, write_history


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return write_history(tmp_path_factory.mktemp("own"))


@pytest.fixture(scope="module")
def blocks(path):
    return make_blocks("000", path, k="2", cluster_k=3)


def test_figures_of_the_data_are_those_of_the_file(blocks, path):
    frame = pl.read_csv(path)
    rows, _, items, low, high, *_, customers = (row[1] for row in rows_of(blocks["data"]))
    assert (rows, items, customers) == (
        frame.height,
        frame["item"].n_unique(),
        frame["customer"].n_unique(),
    )
    assert (low, high) == (frame["price"].min(), frame["price"].max())


def test_clusters_are_of_three_and_the_rest_is_deleted(blocks, path):
    counts = pl.read_csv(path)["customer"].value_counts(sort=True)
    rows = rows_of(blocks["table4"])
    assert [row[1] for row in rows[:6]] == counts["count"].to_list()[:6]
    assert [row[2] for row in rows[:6]] == [1, 1, 1, 2, 2, 2]
    assert [str(row[2]) for row in rows[-1:]] == ["deleted"] * (counts.height % 3 > 0)


def test_rows_that_are_matched_become_alike(blocks):
    before, after = rows_of(blocks["table7"]), rows_of(blocks["table8"])
    assert len(before) == len(after) == 3
    assert [row[0] for row in before] == [row[0] for row in after]
    assert len({tuple(row[1:]) for row in after}) == 1
    prices = sorted(row[3] for row in before)
    assert after[0][3] in (f"[{prices[0]:g};{prices[-1]:g}]", f"{prices[0]:g}")
    assert rows_of(blocks["table12"])[0][2] != rows_of(blocks["table8"])[0][2]


def test_a_dropped_row_is_stars(blocks):
    assert rows_of(blocks["table6"]) == [["*"] * 4]


def test_fewer_customers_are_drawn(path):
    blocks = make_blocks("000", path, k="2", customers=12)
    assert rows_of(blocks["data"])[-1][1] == 12
    assert rows_of(blocks["table1"])[-1][0] == 12

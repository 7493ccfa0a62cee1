"""Tests of tokumei.apps.papers.own.own_contest."""

import pytest

from apps.papers.own.own_study_samples import make_blocks, rows_of, write_history


@pytest.fixture(scope="module")
def blocks(tmp_path_factory):
    path = write_history(tmp_path_factory.mktemp("own"), rows=900, customers=60)
    return make_blocks("001", path, customers=30)


def test_a_contest_is_drawn_from_any_history(blocks):
    rows = {str(row[0]): row[1] for row in rows_of(blocks["table1"])}
    assert (rows["people"], rows["attributes"]) == (30, "11 (4 + 7)")
    assert rows_of(blocks["contest_rows"])[0][1] == rows["rows"]
    assert {str(name): value for name, value in rows_of(blocks["table2"])}["people"] == 60
    assert [row[0] for row in rows_of(blocks["figure4"])] == ["M", "T", "A(T)", "S", "F"]


def test_nobody_is_alone_in_the_master(blocks):
    assert int(str(blocks["table4"].made.note).split()[-2]) >= 2


def test_sample_attacks_find_shares_and_a_blind_guess_is_one_of_all(blocks):
    rates = [row[1] for row in rows_of(blocks["sample_attacks"])]
    assert rates[-1] == 1 / 30
    assert all(0 <= rate <= 1 for rate in rates)
    known, all_rows = (row[1] for row in rows_of(blocks["figure2"])[:2])
    assert known < all_rows


def test_items_are_most_like_themselves(blocks):
    for place, row in enumerate(rows_of(blocks["figure3"])):
        assert row[1 + place] == pytest.approx(1)
        assert max(row[1:]) <= 1 + 1e-9


def test_dozens_are_counted_as_the_paper_says(blocks):
    assert [row[1] for row in rows_of(blocks["supply_scores"])][:2] == [0, 1]

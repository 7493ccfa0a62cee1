"""What an attacker knows: how many rows, whose, when, how coarse, how wrong."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pseudonyms.data.knowledge_helpers import MANY, known
from support.period_histories import period_histories
from support.period_rows import rows_of
from tokumei.core.errors import UnknownNameError, UsageError
from tokumei.pseudonyms.data.knowledge import PartialKnowledge


@settings(max_examples=40)
@given(period_histories(), st.floats(0, 1), st.integers(0, 3))
def test_a_share_of_the_rows_as_they_are_and_the_others_whole_DEL(history, alpha, seed):
    rows = history.rows
    found = known(rows, seed, alpha=alpha)
    assert found.kept.sum() == int(np.floor(alpha * rows.rows + 0.5 + 1e-9))
    for old, new in zip(rows.cells.rows(), found.cells.rows(), strict=True):
        assert new in (old, ("DEL", "", "", "", "", "", ""))
    assert found.cells.equals(known(rows, seed, alpha=alpha).cells)


def test_shares_are_drawn_anew():
    quarter, half = known(alpha=0.25).kept, known(alpha=0.5).kept
    assert (quarter & ~half).any()


def test_without_a_seed_every_draw_is_another():
    draws = {known(seed=None, alpha=0.5).kept.tobytes() for _ in range(4)}
    assert len(draws) == 4


@settings(max_examples=40)
@given(st.integers(1, 15), st.floats(0, 1), st.integers(0, 3))
def test_points_per_person_of_some_people(points, people, seed):
    found = known(seed=seed, points=points, people=people)
    counts = np.bincount(found.person[found.kept], minlength=0)
    assert len(found.people) == int(np.floor(people * 8 + 0.5 + 1e-9))
    assert (counts == min(points, 12)).all()


def test_a_window_of_months():
    found = known(first="2011-02", last="2011-03")
    assert {day.split("/")[1] for day in found.take(found.kept).cells["day"]} == {"2", "3"}
    assert found.kept.sum() == 8 * 4
    assert known(first="2011-03", alpha=0.5).kept.sum() == 8 * 8 / 2


def test_prefixes_and_coarse_cells():
    rows = rows_of(["A,0,2011/7/2,9:59,21258,10.95,32", "A,0,2011/7/20,0:01,2,0.99,9"])
    found = known(
        rows,
        prefix={"item": 2},
        coarse={"day": "week", "time": "hour", "price": 0.5, "quantity": 10},
    )
    # 2 July 2011 is a Saturday whose Monday lies in June; 20 July is a Wednesday.
    assert found.cells.rows() == [
        ("A", "0", "2011/7/1", "9:00", "21", "10.5", "30"),
        ("A", "0", "2011/7/18", "0:00", "2", "0.5", "0"),
    ]
    assert known(rows, coarse={"day": "month"}).cells["day"].to_list() == ["2011/7/1", "2011/7/1"]


def test_noise_moves_values_but_not_far():
    noise = {"price": 0.2, "quantity": 3, "day": 2, "time": 30}
    found = known(noise=noise)
    assert (np.abs(found.prices - MANY.prices) <= 0.2 * MANY.prices + 0.01).all()
    assert (np.abs(found.quantities - MANY.quantities) <= 3).all()
    assert (np.abs(found.days - MANY.days) <= 2).all()
    assert (np.abs(found.minutes - MANY.minutes) <= 30).all()
    for name in ("prices", "quantities", "days", "minutes"):
        assert (getattr(found, name) != getattr(MANY, name)).any()
    assert found.cells["item"].equals(MANY.cells["item"])


@settings(max_examples=40)
@given(st.floats(0, 1), st.integers(0, 3))
def test_wrong_facts_are_someone_elses(share, seed):
    found = known(seed=seed, wrong=share)
    assert found.cells["customer"].equals(MANY.cells["customer"])
    # In MANY an item tells its buyer.
    owner = found.cells["item"].str.extract(r"i(\d+)x")
    wrong = (owner != found.cells["customer"]).to_numpy()
    assert wrong.sum() == int(np.floor(share * MANY.rows + 0.5 + 1e-9))
    real = set(MANY.cells.select(MANY.cells.columns[1:]).rows())
    assert set(found.cells.select(MANY.cells.columns[1:]).rows()) <= real


def test_what_cannot_be_asked():
    for bad in (
        {"alpha": 1.5},
        {"alpha": 0.5, "points": 2},
        {"points": 0},
        {"people": -0.1},
        {"wrong": 2.0},
        {"prefix": {"item": 0}},
        {"noise": {"price": 1.0}},
        {"noise": {"quantity": 0.5}},
        {"coarse": {"price": 0.0}},
        {"coarse": {"price": "month"}},
    ):
        with pytest.raises(UsageError):
            PartialKnowledge(**bad)
    for unknown in (
        {"prefix": {"customer": 2}},
        {"noise": {"item": 1}},
        {"coarse": {"day": "year"}},
    ):
        with pytest.raises(UnknownNameError):
            PartialKnowledge(**unknown)
    for month in ("2011", "2011-13", "x"):
        with pytest.raises(UsageError, match="a month is written"):
            known(first=month)
    with pytest.raises(UsageError, match="two people"):
        known(rows_of(["A,0,2011/7/2,9:59,21258,10.95,32"]), wrong=1.0)

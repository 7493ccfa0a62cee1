"""Unicity against the obvious loops over sets, on small cases, generated and contest data."""

from __future__ import annotations

from itertools import combinations
from statistics import mean

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tokumei as tk
from support.period_rows import rows_of
from tokumei import unicity
from tokumei.core.errors import InputError, UnknownNameError, UsageError
from tokumei.kernels.unicity.unicity import KnownPoints, point_columns, single_out
from tokumei.pseudonyms.data.purchase_text_cells import PeriodRows

Bought = list[tuple[str, int]]
purchases = st.lists(st.tuples(st.sampled_from("abcd"), st.integers(0, 6)), min_size=1, max_size=40)


def sets_of(bought: Bought) -> dict[str, set[int]]:
    found: dict[str, set[int]] = {}
    for who, point in bought:
        found.setdefault(who, set()).add(point)
    return found


def singled_out(points: set[int], who: str, sets: dict[str, set[int]]) -> bool:
    return not any(points <= other for name, other in sets.items() if name != who)


def expected_share(bought: Bought, p: int) -> float | None:
    """The mean over customers of the share of all their p-sets that are nobody else's."""
    sets = sets_of(bought)
    shares = [
        mean(singled_out(set(some), who, sets) for some in combinations(own, p))
        for who, own in sets.items()
        if len(own) >= p
    ]
    return mean(shares) if shares else None


def known_of(bought: Bought) -> tuple[KnownPoints, list[str], list[int]]:
    """The points, and the names behind the codes (by first appearance)."""
    who, what = zip(*bought, strict=True)
    known = KnownPoints.of(pl.Series("customer", who), pl.DataFrame({"item": what}))
    return known, list(dict.fromkeys(who)), list(dict.fromkeys(what))


def history_of(bought: Bought) -> pl.DataFrame:
    return pl.DataFrame(
        {
            "customer": [who for who, _ in bought],
            "day": ["2011-01-01"] * len(bought),
            "item": [f"i{point}" for _, point in bought],
            "price": [1.0] * len(bought),
            "quantity": [1] * len(bought),
        }
    )


@given(purchases, st.integers(1, 3), st.integers(0, 99))
def test_drawn_points_are_different_points_of_their_person(bought, most, seed):
    known, names, whats = known_of(bought)
    sets = sets_of(bought)
    people = np.repeat(np.arange(known.people), 5)
    drawn = known.draw_points(people, most, np.random.default_rng(seed))
    for who, line in zip(people, drawn, strict=True):
        own = sets[names[who]]
        taken = [whats[point] for point in line if point >= 0]
        assert len(taken) == min(most, len(own))
        assert len(set(taken)) == len(taken)
        assert set(taken) <= own


@given(purchases, st.integers(1, 4))
def test_every_choice_of_points_is_judged_as_by_sets(bought, p):
    known, names, whats = known_of(bought)
    sets = sets_of(bought)
    code = {what: place for place, what in enumerate(whats)}
    choices = [
        (who, some) for who, own in enumerate(map(sets.get, names)) for some in combinations(own, p)
    ]
    if not choices:
        return
    people = np.array([who for who, _ in choices])
    drawn = np.array([[code[point] for point in some] for _, some in choices])
    found = single_out(known, people, drawn)
    assert found.tolist() == [singled_out(set(some), names[w], sets) for w, some in choices]


@given(purchases)
def test_with_one_point_the_share_is_exact(bought):
    (one,) = unicity(history_of(bought), ["item"], points=[1], draws=1, seed=1)
    assert one.share == pytest.approx(expected_share(bought, 1))
    assert one.draws == 0


def test_many_draws_come_near_the_expected_share():
    rng = np.random.default_rng(1)
    bought = [(f"c{rng.integers(12)}", int(rng.integers(9))) for _ in range(70)]
    found = unicity(history_of(bought), ["item"], points=[2, 3], draws=4000, seed=1)
    assert [one.points for one in found] == [2, 3]
    for one in found:
        assert one.share == pytest.approx(expected_share(bought, one.points), abs=0.02)


def test_every_place_is_drawn_equally_often():
    known, *_ = known_of([("a", point) for point in range(5)])
    drawn = known.draw_points(np.zeros(20_000, dtype=np.int64), 3, np.random.default_rng(1))
    for column in drawn.T:
        assert np.bincount(column) / len(drawn) == pytest.approx(np.full(5, 0.2), abs=0.02)


def test_a_worked_example():
    """a and b share item 1; a alone has 2; c has what both have."""
    bought = [("a", 1), ("a", 2), ("b", 1), ("b", 3), ("c", 1), ("c", 3)]
    one, two = unicity(history_of(bought), ["item"], points=[1, 2], seed=1)
    assert (one.share, one.customers) == (pytest.approx(1 / 6), 3)
    assert two.share == pytest.approx(1 / 3)  # {1, 2} is a's alone, {1, 3} both b's and c's
    assert two.low < two.share < two.high


def test_points_that_nobody_has_are_left_out():
    found = unicity(history_of([("a", 1), ("b", 1), ("b", 2)]), ["item"], points=[1, 2, 3], seed=1)
    assert [(one.points, one.customers) for one in found] == [(1, 2), (2, 1)]
    assert found[0].of_customers == 2


def test_the_same_seed_gives_the_same_shares():
    history = tk.sample_history(2000, seed=1)
    first = unicity(history, ["item:2,month", "day"], seed=3)
    assert first == unicity(history, ["item:2,month", "day"], seed=3)
    # what else is asked for changes nothing
    assert first[4:] == unicity(history, ["day"], seed=3)


def test_more_points_and_finer_points_single_out_more():
    history = tk.sample_history(4000, seed=1)
    found = {(one.by, one.points): one.share for one in unicity(history, seed=1)}
    assert found["item,day", 1] > found["item,week", 1] > found["item,month", 1]
    assert found["item,day", 1] > found["item:2,day", 1]
    assert found["item,month", 1] < found["item,month", 2] < found["item,month", 4]


def test_granularity_of_time_and_prefix():
    frame = pl.DataFrame(
        {
            "customer": ["a"] * 4,
            "day": ["2011-01-02", "2011-01-03", "2011-01-09", "2011-02-01"],
            "item": ["ab1", "ab2", "a", "日本語"],
            "price": [1.0] * 4,
            "quantity": [1] * 4,
        }
    )
    purchases = tk.History.of(frame).frame
    made = point_columns(purchases, "week, month, item:2")
    sunday, monday, next_sunday, later = made["week"]
    assert sunday + 1 == monday == next_sunday < later
    assert made["month"].diff().to_list() == [None, 0, 0, 1]
    assert made["item:2"].to_list() == ["ab", "ab", "a", "日本"]


def test_rows_of_2017_leave_out_what_is_deleted():
    rows = rows_of(
        ["A,0,2010/12/1,9:09,x,1,1", "DEL,,,,,,", "B,0,2010/12/1,9:10,x,1,1", "DEL,,,,,,"]
    )
    by_day, by_time = unicity(rows, ["item,day", "item,time"], points=[1], seed=1)
    assert (by_day.share, by_time.share, by_day.of_customers) == (0.0, 1.0, 2)


def test_wrong_questions_are_refused():
    history = tk.sample_history(200, seed=1)
    with pytest.raises(UnknownNameError, match="colour"):
        unicity(history, ["item,colour"])
    with pytest.raises(UnknownNameError, match="customer"):
        unicity(history, ["customer"])
    for by in (["item:0"], ["item:x"], ["day:2"], [" , "], []):
        with pytest.raises(UsageError):
            unicity(history, by)
    for wrong in ({"points": [0]}, {"points": []}, {"draws": 0}):
        with pytest.raises(UsageError):
            unicity(history, ["item"], **wrong)
    with pytest.raises(InputError, match="1 of 1 rows have no valid day"):
        unicity(rows_of(["A,0,2010/13/1,9:09,x,1,1"]), ["day"])
    with pytest.raises(InputError):
        unicity(PeriodRows(rows_of(["A,0,2010/12/1,9:09,x,1,1"]).cells.clear()), ["day"])


@pytest.mark.data
def test_shares_of_the_contest_data_of_2018(real_data):
    wanted = {
        "item,day": [0.72, 0.98, 1.0, 1.0],
        "item,month": [0.09, 0.70, 0.91, 0.96],
        "day": [0.00, 0.55, 0.91, 0.97],
    }
    history = tk.read_history(real_data / "pwscup2018" / "T.csv", format="pws2018")
    found = unicity(history, list(wanted), seed=1)
    for by, shares in wanted.items():
        assert [one.share for one in found if one.by == by] == pytest.approx(shares, abs=0.02)


@pytest.mark.long
@pytest.mark.data
def test_a_large_history_agrees_with_sets(real_data):
    """400,000 rows: one draw per customer, looked up in sets."""
    history = tk.read_history(real_data / "online_retail.parquet", format="online-retail")
    found = unicity(history, ["item,day"], points=[2], seed=1)[0]
    pairs = history.frame.group_by("customer").agg(pl.struct("item", "day").unique())
    holders: dict[tuple, set[str]] = {}
    for who, own in pairs.rows():
        for point in own:
            holders.setdefault(tuple(point.values()), set()).add(who)
    rng = np.random.default_rng(1)
    tried = [own for _, own in pairs.rows() if len(own) >= 2]
    hits = []
    for own in tried:
        first, second = (tuple(own[i].values()) for i in rng.choice(len(own), 2, replace=False))
        hits.append(len(holders[first] & holders[second]) == 1)
    assert found.customers == len(tried)
    assert found.share == pytest.approx(mean(hits), abs=0.02)

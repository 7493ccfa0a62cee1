"""Safety: rates of guesses as tables and as maps, what chance reaches, intervals."""

from __future__ import annotations

import itertools

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.period_cases import lines
from tokumei.core.attack_rates import wilson
from tokumei.core.errors import InputError
from tokumei.pseudonyms.data.pseudonym_table import PseudonymTable
from tokumei.pseudonyms.data.purchase_text_cells import Months
from tokumei.pseudonyms.measures.reidentification import (
    GuessClaims,
    linked_periods,
    random_baselines,
    reid_scores,
)

Cells = list[list[str]]
NAMES = ["Alice", "Bob", "Carol", "Dave"]


def table(cells: Cells, names: list[str] | None = None) -> PseudonymTable:
    columns = {f"p{n}": list(column) for n, column in enumerate(zip(*cells, strict=True), 1)}
    people = pl.Series("customer", names or NAMES[: len(cells)])
    return PseudonymTable.of_cells(people, pl.DataFrame(columns))


def public_rows(truth: Cells, amounts: list[int]):
    """As many rows as asked for of every pseudonym and month in turn."""
    found, amount = [], itertools.cycle(amounts)
    for row in truth:
        for month, name in enumerate(row, 1):
            if name != "DEL":
                found += [[name, "0", f"2011/{month}/3", "9:00", "a", "1", "1"]] * next(amount)
    return found


@st.composite
def tables(draw: st.DrawFn) -> Cells:
    """Each month its own pseudonyms, or those of the month before; no two share one."""
    people, periods = draw(st.integers(1, 4)), draw(st.integers(1, 3))
    cells = [[""] * periods for _ in range(people)]
    for period in range(periods):
        fresh = period == 0 or draw(st.booleans())
        for person, row in enumerate(cells):
            fresh_one = fresh or row[period - 1] == "DEL"
            row[period] = f"x{period}{person}" if fresh_one else row[period - 1]
            if draw(st.integers(0, 3)) == 0:
                row[period] = "DEL"
    return cells


@st.composite
def guessed(draw: st.DrawFn) -> tuple[Cells, Cells]:
    """A table and a guess of it: right, another's, a stranger's, or none, cell by cell."""
    truth = draw(tables())
    names = sorted({name for row in truth for name in row} | {"DEL", "stranger"})
    right = st.booleans()
    guess = [[name if draw(right) else draw(st.sampled_from(names)) for name in r] for r in truth]
    return truth, guess


def scores(truth: Cells, guess: Cells, rows: list[list[str]]):
    claims = GuessClaims.of_table(table(guess), table(truth))
    months = Months(12 * 41, len(truth[0]))
    return reid_scores(claims, public=lines(rows) if rows else None, months=months)


@given(both=guessed(), amounts=st.lists(st.integers(1, 4), min_size=1, max_size=5))
def test_rates_by_loops_over_cells(both: tuple[Cells, Cells], amounts: list[int]):
    truth, guess = both
    cells = [(i, p) for i in range(len(truth)) for p in range(len(truth[0]))]
    active = [(i, p) for i, p in cells if truth[i][p] != "DEL"]
    hits = [(i, p) for i, p in active if truth[i][p] == guess[i][p]]
    rows = public_rows(truth, amounts)
    given_right = 0.0
    for row in rows:
        period = int(row[2].split("/")[1]) - 1
        owner = next(i for i in range(len(truth)) if truth[i][period] == row[0])
        claimants = [i for i in range(len(truth)) if guess[i][period] == row[0]]
        given_right += (owner in claimants) / max(len(claimants), 1)
    found = scores(truth, guess, rows)
    whole = sum(t == g for t, g in zip(truth, guess, strict=True))
    assert found["reid_pairs"].value == pytest.approx(len(hits) / len(cells))
    assert found["reid_active"].value == (len(hits) / len(active) if active else 0)
    assert found["reid_all"].value == whole / len(truth)
    if rows:
        assert found["reid_rows"].value == pytest.approx(given_right / len(rows))
        assert found["reid_rows"].sample == len(rows)
    assert (found["reid_all"].low, found["reid_all"].high) == wilson(whole, len(truth))
    owners = sum(set(row) != {"DEL"} for row in truth)
    interval = wilson(len(hits) / max(len(active), 1) * owners, owners)
    assert (found["reid_active"].low, found["reid_active"].high) == interval
    capped = [bound * len(active) / len(cells) for bound in interval]
    assert [found["reid_pairs"].low, found["reid_pairs"].high] == pytest.approx(capped)


def dealt(truth: Cells) -> list[list[Cells]]:
    """Every way to deal the rows of each block of periods to the customers."""
    people = len(truth)
    blocks = [block.tolist() for block in linked_periods(table(truth))]
    ways = []
    for orders in itertools.product(itertools.permutations(range(people)), repeat=len(blocks)):
        guess = [[""] * len(truth[0]) for _ in truth]
        for block, order in zip(blocks, orders, strict=True):
            for person, period in itertools.product(range(people), block):
                guess[person][period] = truth[order[person]][period]
        ways.append(guess)
    return ways


@pytest.mark.long
@settings(max_examples=15)
@given(truth=tables().filter(lambda cells: len(cells) <= 3))
def test_the_baseline_is_the_mean_over_all_ways_to_deal(truth: Cells):
    rows = public_rows(truth, [2, 1])
    found = [scores(truth, guess, rows) for guess in dealt(truth)]
    baselines = random_baselines(table(truth))
    for name in found[0]:
        if name == "reid_active" and not rows:
            continue
        mean = np.mean([way[name].value for way in found])
        assert mean == pytest.approx(baselines[name]), name
        assert found[0][name].baseline == baselines[name]


def test_periods_are_linked_through_chains_of_shared_pseudonyms():
    cells = [["a", "b", "c", "e", "g"], ["h", "b2", "b", "f", "h"], ["DEL"] * 5]
    blocks = sorted(block.tolist() for block in linked_periods(table(cells)))
    assert blocks == [[0, 4], [1, 2], [3]]


def test_monthly_pseudonyms_leave_chance_little_and_yearly_ones_one_in_n():
    monthly = [[f"m{i}{p}" for p in range(3)] for i in range(4)]
    assert random_baselines(table(monthly))["reid_all"] == pytest.approx(1 / 4**3)
    yearly = [[f"y{i}"] * 3 for i in range(4)]
    assert random_baselines(table(yearly))["reid_all"] == pytest.approx(1 / 4)
    # Two of four without any pseudonym in the only month: they need none to be right.
    half = [["a"], ["b"], ["DEL"], ["DEL"]]
    assert random_baselines(table(half))["reid_all"] == pytest.approx((1 + 1 + 2 + 2) / 4 / 4)


FIGURE_2 = [["A1", "A2"], ["DEL", "B2"], ["C1", "DEL"]]


def test_the_papers_figure_2():
    guess = [["A1", "A2"], ["C1", "B2"], ["DEL", "DEL"]]
    found = GuessClaims.of_table(table(guess), table(FIGURE_2))
    assert reid_scores(found)["reid_pairs"].value == pytest.approx(3 / 6)
    answers = pl.DataFrame(
        {
            "period": [1, 2, 2, 1],
            "pseudonym": ["A1", "A2", "B2", "C1"],
            "customer": ["Alice", "Alice", "Bob", "Bob"],
        }
    )
    by_map = reid_scores(GuessClaims.of_map(answers, table(FIGURE_2)))
    assert by_map["reid_pairs"].value == pytest.approx(3 / 6)
    assert by_map["reid_active"].value == 3 / 4
    assert by_map["reid_all"].value == 1 / 3


def test_del_guessed_for_del_is_no_hit_but_belongs_to_a_whole_row():
    nothing = [["DEL", "DEL"]] * 3
    truth = [["DEL", "DEL"], ["a", "DEL"], ["b", "c"]]
    found = reid_scores(GuessClaims.of_table(table(nothing), table(truth)))
    assert {name: score.value for name, score in found.items()} == {
        "reid_pairs": 0, "reid_active": 0, "reid_all": 1 / 3}  # fmt: skip


def test_a_map_may_name_one_customer_for_several_pseudonyms():
    answers = pl.DataFrame(
        {
            "period": [1, 1, 2, 3, 1],
            "pseudonym": ["A1", "C1", "A2", "A2", "nobody"],
            "customer": ["Alice", "Alice", "Alice", "Alice", "stranger"],
        }
    )
    claims = GuessClaims.of_map(answers, table(FIGURE_2))
    rows = lines(public_rows(FIGURE_2, [3, 1, 2, 4]))
    found = reid_scores(claims, public=rows, months=Months(12 * 41, 2))
    assert found["reid_pairs"].value == pytest.approx(2 / 6)
    assert found["reid_all"].value == 0  # Alice's row has a pseudonym too many
    assert found["reid_rows"].value == (3 + 1) / 10
    with pytest.raises(InputError, match="two customers"):
        GuessClaims.of_map(pl.concat([answers, answers]), table(FIGURE_2))


def test_customers_may_come_in_any_order_but_must_be_the_same():
    truth = table(FIGURE_2)
    turned = table(FIGURE_2[::-1], NAMES[2::-1])
    assert GuessClaims.of_table(turned, truth).is_wholly_right.all()
    for wrong in (table(FIGURE_2[:2]), table(FIGURE_2, ["Alice", "Bob", "Bob"])):
        with pytest.raises(InputError, match="every customer"):
            GuessClaims.of_table(wrong, truth)
    with pytest.raises(InputError, match="1 periods, the secret table 2"):
        GuessClaims.of_table(table([row[:1] for row in FIGURE_2]), truth)
    twice = table(FIGURE_2, ["Alice", "Alice", "Bob"])
    with pytest.raises(InputError, match="each once"):
        GuessClaims.of_map(
            pl.DataFrame({"period": [1], "pseudonym": ["A1"], "customer": ["B"]}), twice
        )


def test_months_of_public_rows_come_from_the_original_where_they_are_not_all_there():
    truth = [["DEL", "B"], ["DEL", "C"]]
    claims = GuessClaims.of_table(table(truth), table(truth))
    rows = lines(public_rows(truth, [1]))
    with pytest.raises(InputError, match="1 months, the secret table has 2"):
        reid_scores(claims, public=rows)
    assert reid_scores(claims, public=rows, months=Months(12 * 41, 2))["reid_rows"].value == 1

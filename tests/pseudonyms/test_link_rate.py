"""Links against the obvious loops, and what blind and perfect attackers reach."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokumei.core.attack_rates import wilson
from tokumei.pseudonyms.data.pseudonym_table import PeriodGuess, PseudonymTable
from tokumei.pseudonyms.link_rate import links_by_volume, score_link_guess

Cells = list[list[str]]


def table_of(cells: Cells, names: str = "abcdef") -> PseudonymTable:
    customers = pl.Series("customer", list(names[: len(cells)]))
    columns = {f"p{i}": column for i, column in enumerate(zip(*cells, strict=True), start=1)}
    return PseudonymTable.of_cells(customers, pl.DataFrame(columns))


def links_by_loops(guess: Cells, confidence: list[list[float]], truth: Cells) -> float:
    """For every pseudonym of the truth: who is named most, and is it an owner?"""
    hits = 0.0
    for pseudonym in {name for row in truth for name in row} - {"DEL"}:
        votes = {}
        for who, row in enumerate(guess):
            cells = [p for p, name in enumerate(row) if name == pseudonym]
            if cells:
                votes[who] = sum(confidence[who][p] for p in cells)
        best = [who for who in votes if votes[who] == max(votes.values())]
        right = [who for who in best if pseudonym in truth[who]]
        hits += len(right) / len(best) if best else 0.0
    return hits


@st.composite
def guesses(draw) -> tuple[Cells, list[list[float]], Cells]:
    people, periods = draw(st.integers(1, 4)), draw(st.integers(1, 3))
    name = st.sampled_from(["DEL", "u", "v", "w", "x"])
    cells = st.lists(
        st.lists(name, min_size=periods, max_size=periods), min_size=people, max_size=people
    )
    # binary fractions, so that sums are exact and ties are ties
    share = st.lists(st.sampled_from([0.25, 0.5, 1.0]), min_size=periods, max_size=periods)
    return draw(cells), draw(st.lists(share, min_size=people, max_size=people)), draw(cells)


@given(guesses())
def test_links_agree_with_loops(case):
    guessed, confidence, true = case
    truth = table_of(true)
    links = score_link_guess(PeriodGuess(table_of(guessed), np.array(confidence)), truth)
    assert links.linked == pytest.approx(links_by_loops(guessed, confidence, true))
    active = sum(any(name != "DEL" for name in row) for row in true)
    assert (links.pseudonyms, links.customers) == (len(truth.pseudonyms), active)
    assert (links.low, links.high) == wilson(links.rate * active, active)


def test_the_truth_links_all_and_nothing_links_none():
    truth = table_of([["u", "u", "v"], ["w", "DEL", "x"]])
    assert score_link_guess(PeriodGuess.certain(truth), truth).rate == 1.0
    silent = table_of([["DEL"] * 3, ["DEL"] * 3])
    links = score_link_guess(PeriodGuess.certain(silent), truth)
    assert (links.rate, links.low, links.baseline) == (0.0, 0.0, 0.5)


def test_most_periods_decide():
    truth = table_of([["u", "u", "u"], ["v", "v", "v"]])
    guess = table_of([["u", "u", "v"], ["v", "v", "u"]])
    assert score_link_guess(PeriodGuess.certain(guess), truth).rate == 1.0
    doubted = PeriodGuess(guess, np.array([[0.1, 0.1, 0.9], [1.0, 1.0, 0.9]]))
    assert (
        score_link_guess(doubted, truth).rate == 0.5
    )  # u: .2 for a, .9 for b; v: .9 for a, 2 for b


def test_customers_in_another_order_are_found():
    truth = table_of([["u"], ["v"]])
    turned = PseudonymTable(truth.customers.reverse(), truth.pseudonyms, truth.codes[::-1])
    assert score_link_guess(PeriodGuess.certain(turned), truth).rate == 1.0


def test_blind_guesses_reach_the_baseline():
    people, rng = 40, np.random.default_rng(1)
    customers = pl.Series("customer", [f"c{i:02}" for i in range(people)])
    pseudonyms = pl.Series("pseudonym", [f"p{i:02}" for i in range(people)])
    truth = PseudonymTable(customers, pseudonyms, np.arange(people)[:, None])
    found = [
        score_link_guess(
            PeriodGuess.certain(
                PseudonymTable(customers, pseudonyms, rng.permutation(people)[:, None])
            ),
            truth,
        )
        for _ in range(400)
    ]
    assert np.mean([links.rate for links in found]) == pytest.approx(found[0].baseline, abs=0.006)


@given(st.integers(0, 10**6))
def test_links_by_volume_are_those_of_the_customers_alone(seed: int) -> None:
    draw = np.random.default_rng(seed)
    people, names = 6, 8
    customers = pl.Series("customer", [f"c{i}" for i in range(people)])
    pseudonyms = pl.Series("pseudonym", [f"p{i}" for i in range(names)])
    truth = PseudonymTable(customers, pseudonyms, draw.permutation(names)[:people].reshape(-1, 1))
    said = PseudonymTable(customers, pseudonyms, draw.permutation(names)[:people].reshape(-1, 1))
    rows = draw.integers(1, 5, people)
    found = links_by_volume(PeriodGuess.certain(said), truth, rows)
    assert sum(one.links.pseudonyms for one in found) == people
    for one in found:
        here = [i for i in range(people) if one.least <= rows[i] <= one.most]
        right = sum(truth.codes[i, 0] == said.codes[i, 0] for i in here)
        assert (one.links.customers, one.links.linked) == (len(here), right)
    assert all(a.most < b.least for a, b in pairwise(found))

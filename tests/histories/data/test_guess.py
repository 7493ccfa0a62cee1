"""Tests of tokumei.histories.data.guess."""

from fractions import Fraction
from math import comb

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from histories.measures.hits_helpers import TRUTH, answers
from tokumei.core.attack_rates import wilson
from tokumei.core.errors import InputError, UsageError
from tokumei.histories.data.guess import HistoryGuess, history_hits, threshold, thresholds_up_to


def test_one_hit_less_than_needed_shows_nothing():
    cids = ["c1", "c1", *TRUTH["customer"].to_list()[2:]]
    scored = history_hits(answers(TRUTH["pseudonym"], cids), TRUTH, customers=1000)
    assert (scored.hits, scored.threshold, scored.unsafe) == (9, 10, False)
    assert scored.rate == 0.9
    assert (scored.low, scored.high) == wilson(9, 10)
    assert scored.baseline == 0.001


def test_a_guess_is_scored_by_its_answers_alone():
    customers = pl.Series(["c0", None, "c2"], dtype=pl.String)
    guess = HistoryGuess(TRUTH["pseudonym"].head(3), customers, np.array([0.9, 0.0, 0.4]))
    assert guess.answered.tolist() == [True, False, True]
    assert guess.expected_hits == pytest.approx(1.3)
    scored = history_hits(guess, TRUTH)
    assert (scored.tried, scored.hits) == (2, 2)
    top = guess.top(1)
    assert top.frame().rows() == [("100", "c0")]
    assert history_hits(guess.top(9), TRUTH).tried == 2
    assert history_hits(guess.top(0), TRUTH).as_json()["rate"] == 0.0


def test_strange_pseudonyms_and_customers_are_wrong_answers():
    scored = history_hits(answers(["999", "100"], ["c0", "nobody"]), TRUTH)
    assert (scored.tried, scored.hits) == (2, 0)


def test_numbers_are_read_as_text():
    truth = pl.DataFrame({"pseudonym": [100000], "customer": [13047]})
    assert history_hits(pl.DataFrame({"pid": ["100000"], "cid": [13047]}), truth).hits == 1


def test_two_answers_to_one_pseudonym_are_refused():
    with pytest.raises(InputError, match="answered twice"):
        history_hits(answers(["100", "100"], ["c0", "c1"]), TRUTH)


def test_the_test_takes_other_parameters():
    perfect = answers(TRUTH["pseudonym"].head(5), TRUTH["customer"].head(5))
    assert not history_hits(perfect, TRUTH).unsafe
    assert history_hits(perfect, TRUTH, attackers=1).unsafe


TABLE_1 = {7: 7, 11: 10, 13: 11, 16: 13, 19: 15, 500: 308, 1000: 612}


def exact(n, p, bound):
    tail, r = Fraction(0), n + 1
    while r > 0 and tail + comb(n, r - 1) * p ** (r - 1) < bound:
        r -= 1
        tail += comb(n, r) * p**r
    return r


@pytest.mark.parametrize(("n", "needed"), TABLE_1.items())
def test_the_papers_table_1(n, needed):
    assert threshold(n) == needed


def test_with_six_answers_or_fewer_no_attack_can_show_it():
    assert [threshold(n) for n in range(8)] == [1, 2, 3, 4, 5, 6, 7, 7]


def test_all_at_once_equal_one_by_one():
    together = thresholds_up_to(300)
    assert together.tolist() == [threshold(n) for n in range(301)]
    assert together.tolist() == [exact(n, Fraction(1, 3), Fraction(1, 2000)) for n in range(301)]


@given(st.integers(0, 60), st.integers(2, 9), st.integers(1, 64), st.integers(1, 30))
def test_other_parameters_equal_exact_fractions(n, inverse, share, attackers):
    """Powers of two and three are hit exactly: a sum equal to the bound is not below it."""
    level = Fraction(1, share + 1)
    found = threshold(n, p=1 / inverse, level=float(level), attackers=attackers)
    assert found == exact(n, Fraction(1, inverse), level / attackers)


def test_a_sum_equal_to_the_bound_is_not_below_it():
    assert threshold(4, p=0.5, level=1 / 16, attackers=1) == 5
    assert threshold(4, p=0.5, level=1.0001 / 16, attackers=1) == 4


def test_large_numbers_do_not_overflow():
    assert threshold(100_000) == pytest.approx(0.61 * 100_000, rel=0.01)


@pytest.mark.parametrize(
    "wrong", [{"p": 0.0}, {"p": 1.0}, {"level": 0.0}, {"attackers": 0}, {"p": float("nan")}]
)
def test_parameters_out_of_range_are_refused(wrong):
    with pytest.raises(UsageError):
        threshold(10, **wrong)


def test_negative_numbers_are_refused():
    with pytest.raises(UsageError):
        threshold(-1)


@pytest.mark.data
def test_every_line_of_the_contests_file(real_data):
    lines = np.loadtxt(real_data / "pwscup2018" / "R.csv", delimiter=",", dtype=int)
    assert len(lines) > 1000
    assert thresholds_up_to(int(lines[-1, 0])).tolist() == lines[:, 1].tolist()

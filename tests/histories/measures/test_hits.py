"""Answers scored against the truth."""

import numpy as np
import polars as pl
import pytest

from tokumei.core.attack_rates import wilson
from tokumei.core.errors import InputError
from tokumei.histories.data.guess import HistoryGuess, history_hits

TRUTH = pl.DataFrame(
    {"pseudonym": [f"10{n}" for n in range(10)], "customer": [f"c{n}" for n in range(10)]}
)


def answers(pids, cids):
    return pl.DataFrame({"pid": pids, "cid": cids}, schema={"pid": pl.String, "cid": pl.String})


def test_the_figures_of_a_perfect_attack():
    scored = history_hits(answers(TRUTH["pseudonym"], TRUTH["customer"]), TRUTH)
    assert scored.as_json() == {
        "tried": 10,
        "hits": 10,
        "threshold": 10,
        "unsafe": True,
        "rate": 1.0,
        "low": wilson(10, 10)[0],
        "high": 1.0,
        "baseline": 0.1,
    }


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

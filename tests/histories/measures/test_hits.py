"""Answers scored against the truth."""

from histories.measures.hits_helpers import TRUTH, answers
from tokumei.core.attack_rates import wilson
from tokumei.histories.data.guess import history_hits


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

"""Tests of tokumei.tables.diagnosis.diagnose."""

import numpy as np
import pytest

from support.paper import B, D, F, G, X
from tokumei.core.randomness import Randomness
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.diagnosis.diagnose import diagnose, find_evidence


@pytest.mark.parametrize(
    ("released", "methods"),
    [(X, []), (B, ["B"]), (D, ["D"]), (F, ["F"])],
)
def test_the_papers_tiny_tables(released, methods):
    # Four rows; QI3 is outside a cross table of QI1, QI2.
    case = Comparison(X, released, np.arange(4), ("QI1", "QI2"))
    assert diagnose(case, rng=Randomness(1)).methods == methods


def test_two_sensitive_columns_make_a_swap_of_one_look_like_what_it_is():
    case = Comparison(X, G, np.arange(4), ())
    assert [e.method for e in find_evidence(case)] == ["G"]


def test_the_measured_symbols_alone_speak_for_methods():
    diagnosis = diagnose(Comparison(X, D, np.arange(4), ("QI1", "QI2")), rng=Randomness(1))
    assert diagnosis.as_json()["by_symbols"] == diagnosis.inferred
    assert not diagnosis.inferred or set(diagnosis.inferred) <= set("ABCDEFGH")
    unchanged = diagnose(Comparison(X, X, np.arange(4), ("QI1", "QI2")), rng=Randomness(1))
    assert unchanged.inferred == []

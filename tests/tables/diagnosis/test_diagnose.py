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

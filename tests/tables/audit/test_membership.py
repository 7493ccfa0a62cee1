"""Tests of tokumei.tables.audit.membership."""

import numpy as np
import polars as pl

from tables.audit.people import case_of, seen_of
from tokumei.tables.audit.membership import compute_group_figures, find_rarest


def test_the_rarest_are_no_crowd():
    """Everybody has equals in the reference: nobody is rarer than others."""
    frame = pl.DataFrame({"x": ["a", "b"] * 50})
    seen, member = seen_of(case_of(frame, frame, frame, frame))
    assert not find_rarest(seen).any()
    (group,) = compute_group_figures(np.zeros(200), member, find_rarest(seen), {})
    assert (group.members, group.auc) == (0, None)

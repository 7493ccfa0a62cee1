"""Tests of tokumei.histories.data.generalized_history."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from support.histories import Row, history, rows
from tokumei.core.randomness import Randomness
from tokumei.histories.anonymizers.rank_match import RankMatch
from tokumei.histories.data.cell_parsing import parse_general_history
from tokumei.histories.data.generalized_history import format_general_history, select_public_rows


@given(data=rows(), k=st.integers(2, 3))
def test_text_and_back(data: list[Row], k: int) -> None:
    source = history(data)
    if len(source.customers) < k:
        return
    made = RankMatch(k).anonymize(source, rng=Randomness(1)).rows
    text = format_general_history(made)
    back = parse_general_history(text, source)
    assert format_general_history(back).equals(text)
    assert select_public_rows(text).height == made.kept.sum()
    np.testing.assert_array_equal(back.kept, made.kept)

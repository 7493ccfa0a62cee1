"""Tests of tokumei.histories.anonymizers.aligned."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from histories.further_values_helpers import VALUES, _ends, _number, histories, methods
from tokumei.core.randomness import Randomness
from tokumei.histories.anonymizers.aligned import Aligned
from tokumei.histories.anonymizers.rank_match import RankMatch
from tokumei.histories.data.generalized_history import format_history
from tokumei.histories.data.history import History
from tokumei.histories.measures.protocol import history_loss


def slow_error(history: History, column: str, cell: str, row: int) -> float:
    """The formula of a cell, from its text."""
    if cell == "*":
        return 1.0
    if history.like[column] == "item":
        return 1 - 1 / len(cell.strip("{}").split(";"))
    unit = 100.0 if history.like[column] == "price" else 1.0
    values = [_number(one) * unit for one in format_history(history)[column]]
    low, high = (_number(end) * unit for end in _ends(cell))
    if low == high:
        return 0.0
    x, width = values[row], high - low
    return ((low - x) ** 2 + (high - x) ** 2 + width) / (2 * float(np.std(values)) * (width + 1))


@given(source=histories, method=methods)
def test_their_loss_is_that_of_their_cells(source: History, method: RankMatch | Aligned) -> None:
    if len(source.customers) < method.k:
        return
    made = method.anonymize(source, rng=Randomness(1))
    found, text = history_loss(source, made.rows), made.aligned_text()
    for column in VALUES:
        cells = [slow_error(source, column, cell, row) for row, cell in enumerate(text[column])]
        assert found.parts[column] == pytest.approx(np.mean(cells))
    assert found.loss == pytest.approx(np.mean([*found.parts.values()]))
    assert len(found.parts) == 7

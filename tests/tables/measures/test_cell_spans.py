"""Tests of tokumei.tables.measures.cell_spans."""

from __future__ import annotations

import numpy as np
import pytest

from tables.measures.query_error_helpers import numbers_case
from tokumei.tables.measures.cell_spans import build_column_spans
from tokumei.tables.measures.query_error import estimated_answer, true_answer


def test_by_hand() -> None:
    columns = build_column_spans(numbers_case(), {})
    place = np.argsort(columns[0].places)
    asked = np.zeros(5, dtype=bool)
    asked[place[:1]] = True  # q = 1
    assert true_answer(columns, {0: asked}) == 1
    assert estimated_answer(columns, {0: asked}) == pytest.approx(0.5 + 0.5 + 0.2)

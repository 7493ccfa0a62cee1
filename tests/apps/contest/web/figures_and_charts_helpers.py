"""What the tests split from test_figures_and_charts share."""

from __future__ import annotations

from datetime import UTC, datetime

from hypothesis import strategies as st

NUMBERS = st.floats(-1e6, 1e6, allow_nan=False)


WHEN = datetime(2026, 11, 16, 8, 0, tzinfo=UTC)

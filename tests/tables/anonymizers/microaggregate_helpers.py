"""What the tests split from test_microaggregate share."""

from __future__ import annotations

from hypothesis import strategies as st

real = st.floats(-1e6, 1e6)

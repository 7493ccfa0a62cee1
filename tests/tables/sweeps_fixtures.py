"""What the tests split from test_sweeps share."""

from __future__ import annotations

import pytest

import tokumei as tk


@pytest.fixture(scope="module")
def history() -> tk.History:
    return tk.sample_history(1500, customers=30, seed=1)

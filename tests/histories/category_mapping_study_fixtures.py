"""What the tests split from test_category_mapping_study share."""

from __future__ import annotations

import pytest

import tokumei as tk
from tokumei.core.workflow import make_release
from tokumei.histories.kind import HISTORIES
from tokumei.histories.registry import anonymizers


@pytest.fixture(scope="module")
def history():
    return tk.sample_history(800, seed=3)


@pytest.fixture(scope="module")
def general(history):
    method = anonymizers.build("rank-match", {"k": 3})
    return make_release(HISTORIES, history, method, seed=1).rows

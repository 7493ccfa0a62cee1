"""Tests of tokumei.tables.audit.attacks.explain."""

import pytest

from tables.audit.attacks_fixtures import made
from tables.audit.attacks_fixtures import scene as scene
from tokumei.tables.audit.attacks import explain


@pytest.mark.parametrize("model", ["together", "alone"])
def test_blocks_of_released_rows_say_the_same(scene, model, monkeypatch):
    whole = {name: made(name, scene, model) for name in ("explain", "explain-sum")}
    monkeypatch.setattr(explain, "BLOCK", 7)
    for name, scores in whole.items():
        assert made(name, scene, model) == pytest.approx(scores, abs=1e-9)

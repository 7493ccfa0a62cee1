"""Tests of tokumei.histories.categories.make_categories."""

from __future__ import annotations

from pathlib import Path

import pytest

import tokumei as tk
from support.histories import contest_history


@pytest.mark.data
def test_built_in_categories_know_most_items_of_the_contest(real_data: Path) -> None:
    from tokumei.histories.categories.make_categories import read_descriptions

    source = contest_history(real_data)
    items = read_descriptions(real_data / "online_retail.parquet")
    found = tk.histories.choose_categories(source, "keywords", items=items)
    assert len(found.of) == 3254
    assert found.sizes().get("不明", 0) / len(found.of) <= 0.05
    swept = tk.sweep(source, "rank-match", [2, 6], categories=found, seed=1)
    for point in swept.points:
        assert point.loss < point.measured["plain_loss"] < point.measured["honest_loss"]

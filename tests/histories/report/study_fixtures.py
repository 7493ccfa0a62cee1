"""One small generated history, studied: with categories, and with original rows shown."""

from __future__ import annotations

from typing import Any

import pytest

from tokumei.core.datasets.purchases import sample_purchases
from tokumei.histories.categories.mapping import prefix_categories
from tokumei.histories.data.history import History
from tokumei.histories.report.page import render_history_report
from tokumei.histories.study import HistoryStudy, study_history

SEED = 918273645
VALUES = range(2, 9)


@pytest.fixture(scope="session")
def history() -> History:
    """Forty customers whose names and rows would be noticed in a page."""
    purchases, items = sample_purchases(900, customers=41, items=60, seed=5)
    named = purchases.with_columns(customer="cust-" + purchases["customer"])
    return History.of(named, items=items)


def studied(history: History, **options: Any) -> HistoryStudy:
    return study_history(history, "rank-match", VALUES, seed=SEED, **options)


@pytest.fixture(scope="session")
def study(history: History) -> HistoryStudy:
    return studied(history)


@pytest.fixture(scope="session")
def category_study(history: History) -> HistoryStudy:
    return studied(history, categories=prefix_categories(history.item_names, length=2))


@pytest.fixture(scope="session")
def internal_study(history: History) -> HistoryStudy:
    return studied(history, examples="data", attacks=["first"])


@pytest.fixture(scope="session")
def page(study: HistoryStudy) -> str:
    return render_history_report(study)

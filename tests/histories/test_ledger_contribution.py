"""Tests of tokumei.histories.ledger_contribution."""

import polars as pl
import pytest
from tests.support.ledgers import new_ledger, record

import tokumei as tk
from tokumei.histories.data.history import History
from tokumei.histories.ledger_contribution import history_contribution


def test_what_people_buy_links_months(tmp_path):
    """Everybody keeps to an item of their own: new pseudonyms do not help."""
    book = new_ledger(tmp_path)
    for month in (1, 2):
        frame = pl.DataFrame(
            {
                "customer": [f"c{i}" for i in range(40) for _ in range(3)],
                "day": [f"2011/{month}/{d + 1}" for _ in range(40) for d in range(3)],
                "item": [f"i{i // 2}" for i in range(40) for _ in range(3)],
                "price": 1.0,
                "quantity": 1,
            }
        )
        made = tk.anonymize(History.of(frame), "aligned", k=2, seed=month)
        record(book, history_contribution(made.public, made.truth(), known=40), f"m{month}", k=2)
    found = {one.test: one for one in book.check().linkage}
    assert found["profile-attack"].value == pytest.approx(0.5)
    assert found["profile-attack"].linked
    assert not found["unique-values"].linked

"""What the tests split from test_pseudonym_rule share."""

from __future__ import annotations

from tokumei.pseudonyms.data.sample_data import sample_periods

HISTORY = sample_periods(1500, customers=40, seed=2)


IDS = HISTORY.rows.cells["customer"]

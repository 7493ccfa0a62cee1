"""A look-alike purchase history: `sample_history(20_000, seed=1)`."""

from __future__ import annotations

from tokumei.core.shop.purchases import sample_purchases
from tokumei.histories.data.history import History


def sample_history(
    rows: int, *, customers: int | None = None, items: int | None = None, seed: int | None = None
) -> History:
    """A year of purchases of generated people, with item descriptions."""
    purchases, described = sample_purchases(rows, customers=customers, items=items, seed=seed)
    return History.of(purchases, items=described)

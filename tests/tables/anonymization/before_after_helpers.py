"""What the tests split from test_before_after share."""

from __future__ import annotations

import tokumei as tk


def released() -> tuple[tk.Table, tk.Release]:
    people = tk.sample_table(80, seed=2)
    table = tk.Table.of(people, qi=["household_size", "region"], sa=["food"], ids=["occupation"])
    return table, tk.anonymize(table, "mondrian", k=3, seed=1)

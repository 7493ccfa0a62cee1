"""Tests of tokumei.test_kinds."""

from __future__ import annotations

import tokumei as tk
from tables.data.column_encoding_helpers import people, spell


def test_a_claim_that_counts_spellings_is_refuted() -> None:
    rule = tk.kind("tables").claim_checks.build(
        "k-per-person", {"k": 5, "columns": ["age"], "person": "uid"}
    )
    assert rule.check(tk.Table.of(people(spell), qi=["age"], sa=["pay"]))

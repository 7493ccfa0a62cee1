"""Tests of tokumei.tables.diagnosis.column_and_link_evidence."""

import numpy as np

import tokumei as tk
from tables.diagnosis.diagnosis_helpers import multi_row_classes
from tokumei.tables.diagnosis.effect_symbols import EXPECTED_SYMBOLS


def test_rows_in_another_order_prove_no_permuted_link_where_nobody_gave_one():
    table = multi_row_classes(3)
    order = np.random.default_rng(1).permutation(table.rows)
    shuffled = table.frame[order.tolist()]
    found = tk.diagnose(table, shuffled, seed=1)
    assert found.methods == []
    assert found.untold == ("C", "U5", "E1", "E2", "E3", "E4", "EUC1")
    assert [row["measure"] for row in found.as_json()["table"]] == [
        name for name in EXPECTED_SYMBOLS if name not in found.untold
    ]
    linked = tk.diagnose(table, shuffled, link=order, seed=1)
    assert (linked.methods, linked.untold) == ([], ())
    wrong = tk.diagnose(table, shuffled, link=np.arange(table.rows), seed=1)
    assert (wrong.methods, wrong.untold) == (["C"], ())

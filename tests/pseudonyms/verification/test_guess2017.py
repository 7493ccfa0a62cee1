"""The rules of guess tables, one planted fault each."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from support.period_rows import rows_of
from tokumei.files.contest_files import ContestRows
from tokumei.pseudonyms.verification.pws2017 import check_guess_table

S = rows_of(["p1,0,2011/1/5,9:00,a,1,2", "p2,0,2011/2/5,9:00,a,1,2"])
M = pl.Series("customer", ["c1", "c2", "c3"])
GOOD = ["c3,p1,DEL", "c1,p2,p2", "c2,p1,DEL"]


def found(lines: list[str], name: str = "") -> list[tuple[object, ...]]:
    cells = [[*line.split(","), *[None] * 3][:3] for line in lines]
    schema = dict.fromkeys(["customer", "p1", "p2"], pl.String)
    fields = np.array([line.count(",") + 1 for line in lines], dtype=np.int64)
    text = ContestRows(pl.DataFrame(cells, schema=schema, orient="row"), fields)
    faults = check_guess_table(S, M, text, name=name)
    assert all(fault.message.show("en").startswith(f"{name}: ") for fault in faults if name)
    assert all(fault.message.show("ja").startswith(f"{name}: ") for fault in faults if name)
    return [(fault.line, fault.column, fault.rule) for fault in faults]


@pytest.mark.parametrize(
    ("lines", "faults"),
    [
        (GOOD, []),
        (["c3,p1,p3", *GOOD[1:]], [(1, "p2", "unknown-pseudonym")]),
        (["c3,,DEL", *GOOD[1:]], [(1, "p1", "unknown-pseudonym")]),
        (["c3,c1,DEL", *GOOD[1:]], [(1, "p1", "unknown-pseudonym")]),
        ([*GOOD, "c1,DEL,DEL"], [(4, "customer", "repeated")]),
        ([*GOOD, "c4,DEL,DEL"], [(4, "customer", "unknown-customer")]),
        (GOOD[:2], [(3, "customer", "missing-customer")]),
        ([*GOOD[:2], "c2,p1"], [(3, None, "fields")]),
        ([*GOOD[:2], "c2,p1,DEL,DEL"], [(3, None, "fields")]),
        ([], [(1, "customer", "missing-customer")] * 3),
    ],
)
def test_each_rule_alone(lines, faults):
    assert found(lines) == faults
    assert found(lines, "fourth.csv") == faults

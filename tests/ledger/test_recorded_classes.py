"""Tests of tokumei.ledger.recorded_classes."""

import numpy as np
import polars as pl
from tests.support.ledgers import contribution

from ledger.figures_helpers import CODES
from tokumei.ledger.entry import LedgerEntry
from tokumei.ledger.joint_risk import compute_joint_risk
from tokumei.ledger.recorded_classes import encode_contribution


def test_a_pseudonym_that_is_used_twice_is_found():
    rng = np.random.default_rng(0)
    lines = [(f"p{i}", 0, "v", {0}) for i in range(30)]
    order = rng.permutation(30)
    same, other = (pl.Series([f"{word}{i}" for i in range(30)]) for word in "xy")
    for later, linked in ((same, True), (other, False)):
        parts = [
            encode_contribution(contribution(lines, cells={"pseudonym": same}), CODES),
            encode_contribution(
                contribution([lines[i] for i in order], cells={"pseudonym": later.gather(order)}),
                CODES,
            ),
        ]
        entries = [
            LedgerEntry(
                number=i,
                name=f"r{i}",
                kind="tables",
                recipient="A",
                made="",
                public="",
                sha256=str(i),
                rows=30,
                people=30,
                known=30,
                cells=("value", "pseudonym"),
                sensitive=("value",),
            )
            for i in range(2)
        ]
        found = compute_joint_risk(entries, parts)
        by = [one.linked for one in found.linkage if "'pseudonym'" in one.sentence.show("en")]
        assert by == [linked]

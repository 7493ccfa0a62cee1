"""Tests of tokumei.ledger.joint_risk."""

import numpy as np
from tests.support.ledgers import contribution, new_ledger, record

from ledger.figures_samples import drawn_release


def test_a_recipient_who_got_two_releases_colludes_with_itself(tmp_path):
    book = new_ledger(tmp_path)
    rng = np.random.default_rng(1)
    for _ in range(2):
        record(book, contribution(drawn_release(rng, np.arange(12))), "A", k=2)
    assert len(book.check(["A"]).entries) == 2

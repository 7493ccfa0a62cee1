"""Tests of tokumei.tables.ledger.cuts_respecting_earlier_classes."""

import numpy as np

from tokumei.tables.ledger.cuts_respecting_earlier_classes import overlapping_classes


def test_atoms_hold_together_all_that_overlaps():
    assert (
        overlapping_classes([np.array([0, 0, 1, 1, -1]), np.array([-1, 5, 5, 7, -1])]).tolist()[:4]
        == [overlapping_classes([np.array([0, 0, 1, 1, -1]), np.array([-1, 5, 5, 7, -1])])[0]] * 4
    )
    assert overlapping_classes([np.array([0, -1])]).tolist()[1] == -1

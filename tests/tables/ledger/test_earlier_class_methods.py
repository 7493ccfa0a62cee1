"""Tests of tokumei.tables.ledger.earlier_class_methods."""

import numpy as np

from ledger.defences_helpers import drawn
from tokumei.core.randomness import Randomness
from tokumei.tables.ledger.earlier_class_methods import ReuseClasses


def test_who_was_in_which_class_is_in_no_manifest():
    table = drawn(60, 0)
    release = ReuseClasses(3, earlier=(np.repeat(np.arange(20), 3),)).anonymize(
        table, rng=Randomness(1)
    )
    told = str(release.manifest()) + repr(release) + repr(ReuseClasses(3, earlier=(np.arange(3),)))
    assert "earlier" not in told
    assert "array" not in told

"""Tests of tokumei.histories.data.release."""

from __future__ import annotations

import tokumei as tk
from tokumei.core.verification import VerifiableRelease


def test_every_release_in_memory_can_carry_its_verification():
    from tokumei.histories.data.release import HistoryRelease
    from tokumei.pseudonyms.data.pseudonym_table import PeriodRelease

    for kind in (tk.Release, HistoryRelease, PeriodRelease):
        assert issubclass(kind, VerifiableRelease)

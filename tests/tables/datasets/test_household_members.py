"""Tests of tokumei.tables.datasets.household_members."""

from __future__ import annotations

from tokumei.tables.datasets.household_members import AGE_BANDS, ELDERLY_AGE


def test_the_oldest_band_is_wholly_elderly() -> None:
    assert max(AGE_BANDS) >= ELDERLY_AGE

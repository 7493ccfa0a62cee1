"""What a rule for pseudonyms is."""

from __future__ import annotations

from typing import Protocol

import polars as pl

from tokumei.core.words import Rule


class PeriodRule(Rule[pl.DataFrame], Protocol):
    """A property that the public rows under pseudonyms have or have not."""

"""What a rule for histories is."""

from __future__ import annotations

from typing import Protocol

import polars as pl

from tokumei.core.words import Rule


class HistoryRule(Rule[pl.DataFrame], Protocol):
    """A property that a released history has or has not, seen in its public rows."""

"""Boxes of numbers for tests of nearest rows."""

from __future__ import annotations

import numpy as np

from tokumei.tables.attackers.nearest_rows import ReleasedBoxes
from tokumei.tables.attackers.text_distance import GapAndTextCosts


def number_boxes(known: np.ndarray, low: np.ndarray, high: np.ndarray) -> ReleasedBoxes:
    """Numbers alone; a gap on one side counts 1."""
    return ReleasedBoxes(known, low, high, GapAndTextCosts(np.ones(known.shape[1])))

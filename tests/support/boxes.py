"""Boxes of numbers for tests of nearest rows."""

from __future__ import annotations

import numpy as np

from tokumei.tables.attackers.nearest import Boxes
from tokumei.tables.attackers.texts import Uneven


def number_boxes(known: np.ndarray, low: np.ndarray, high: np.ndarray) -> Boxes:
    """Numbers alone; a gap on one side counts 1."""
    return Boxes(known, low, high, Uneven(np.ones(known.shape[1])))

"""What RFM segments are made of: recency, frequency and monetary value, each cut into quintiles."""

from __future__ import annotations

import numpy as np

QUINTILES = 5
PARTS = ("recency", "frequency", "monetary")


def rank_classes(values: np.ndarray, classes: int) -> np.ndarray:
    """The class of every value, 1 (smallest) to `classes`, all as large as ties allow.

    Equal values share the mean of their ranks r of 1…n, and the class is that of (r − ½) / n;
    if all are equal they are in the middle one.
    """
    ordered = np.sort(values)
    below = np.searchsorted(ordered, values, "left")
    upto = np.searchsorted(ordered, values, "right")
    return np.asarray(classes * (below + upto) // (2 * max(len(values), 1)) + 1)

"""R(n), the contest's test of safety: the formula lives with the data, as attacks use it too."""

from tokumei.data.history_threshold import threshold, thresholds

__all__ = ["threshold", "thresholds"]

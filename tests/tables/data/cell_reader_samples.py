"""What the tests split from test_cell_reader share."""

from __future__ import annotations

JOBS = ["cook", "nurse", "smith", "10-20"]

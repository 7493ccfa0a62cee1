"""What the tests split from test_paper_attacks share."""

from __future__ import annotations

from tokumei.core.randomness import Randomness

RNG = Randomness(1)

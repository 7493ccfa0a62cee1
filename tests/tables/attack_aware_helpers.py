"""What the tests split from test_attack_aware share."""

from __future__ import annotations

import tokumei as tk

BOUNDS = {"U4": 0.1, "U5": 0.06}


SAMPLE = tk.sample_table(120, seed=3)


QI, SA = ["household_size", "head_age_band", "region"], ["food", "medical", "gifts"]


PEOPLE = tk.Table.of(SAMPLE.frame.select(*QI, *SA), qi=QI, sa=SA)

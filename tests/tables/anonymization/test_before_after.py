"""Rows beside what became of them, against a plain loop over the link."""

from __future__ import annotations

from collections import Counter

import numpy as np

from tables.anonymization.before_after_helpers import released
from tokumei.tables.anonymization.before_after import SIZE_STEPS, class_size_histogram


def test_sizes_count_every_row_once() -> None:
    _, release = released()
    rows = release.public.frame.select(release.public.schema.qi).rows()
    counts = Counter(rows)
    wanted = np.zeros(len(SIZE_STEPS), dtype=int)
    for row in rows:
        wanted[max(i for i, low in enumerate(SIZE_STEPS) if counts[row] >= low)] += 1
    assert [n for _, n in class_size_histogram(release)] == wanted.tolist()

"""What the tests split from test_population_uniques share."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

SIZES = st.lists(st.integers(1, 6), min_size=1, max_size=12).map(np.array)


Codes = np.ndarray


MANY = np.repeat([1, 2, 3, 4, 7, 12], [300, 90, 40, 20, 8, 3])

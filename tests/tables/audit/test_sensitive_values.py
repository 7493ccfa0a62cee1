"""Tests of tokumei.tables.audit.sensitive_values."""

import numpy as np
from scipy import sparse

from tokumei.tables.audit.sensitive_values import SensitiveValues


def test_the_likeliest_value_is_the_first_of_the_largest_weights():
    """As a dense search says; rows without weight have none."""
    rng = np.random.default_rng(8)
    dense = rng.integers(0, 4, (60, 5)) * (rng.random((60, 5)) < 0.5)
    none = np.empty(0, dtype=np.int64)
    sensitive = SensitiveValues(none, none, np.full(5, np.nan), None)
    wanted = np.where(dense.any(axis=1), dense.argmax(axis=1), -1)
    found = sensitive.guesses(sparse.csr_array(dense.astype(np.float64)))
    np.testing.assert_array_equal(found, wanted)

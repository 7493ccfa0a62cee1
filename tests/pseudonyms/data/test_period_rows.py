"""Tests of tokumei.pseudonyms.data.period_rows."""

from __future__ import annotations

import numpy as np
import pytest

from tokumei.core.errors import UsageError
from tokumei.pseudonyms.data.period_rows import NO_DAY, Months


def test_no_day_at_all_is_an_error() -> None:
    with pytest.raises(UsageError):
        Months.spanning(np.array([NO_DAY]))

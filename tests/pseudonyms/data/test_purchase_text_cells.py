"""Tests of tokumei.pseudonyms.data.purchase_text_cells."""

from __future__ import annotations

import numpy as np
import pytest

from tokumei.core.errors import UsageError
from tokumei.pseudonyms.data.purchase_text_cells import NO_DAY, Months


def test_no_day_at_all_is_an_error() -> None:
    with pytest.raises(UsageError):
        Months.spanning(np.array([NO_DAY]))

"""Cut-offs, intents, days and unpriced words against slow references on small populations."""

from __future__ import annotations

import numpy as np
import pytest

from tokumei.core.errors import UsageError


def test_a_share_that_is_none() -> None:
    from tokumei.core.option_parsing import parse_share_pairs

    assert parse_share_pairs({"a": "30%", "b": "0.25"}, "--most-lost") == {"a": 0.3, "b": 0.25}
    with pytest.raises(UsageError, match="not a number"):
        parse_share_pairs({"a": "much"}, "--most-lost")
    assert np.isclose(parse_share_pairs({"a": "12.5%"}, "")["a"], 0.125)

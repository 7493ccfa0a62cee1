"""Tests of tokumei.apps.price.price_list."""

from __future__ import annotations

from pathlib import Path

import pytest

from apps.price.price_bounds_helpers import HEAD, LINES
from tokumei.apps.price.price_list import PriceList
from tokumei.core.errors import InputError


@pytest.mark.parametrize("line", ["a,original,3,x,5,maybe\n", "a,original,1,one,6,will\n"])
def test_intents_that_cannot_be(tmp_path: Path, line: str) -> None:
    (tmp_path / "p.csv").write_text(HEAD + LINES + line)
    with pytest.raises(InputError, match="cannot be used"):
        PriceList.read(tmp_path / "p.csv")

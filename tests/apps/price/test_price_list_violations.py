"""Tests of tokumei.apps.price.price_list_violations."""

from __future__ import annotations

from pathlib import Path

import pytest

from apps.price.price_lists_helpers import HEAD, read
from tokumei.core.errors import InputError

WRONG = [
    # rule of the fault, line, text
    ("price", 2, HEAD + "a,original,1,1,-5\n"),
    ("price", 2, HEAD + "a,original,1,1,NaN\n"),
    ("price", 3, HEAD + "a,original,1,1,5\na,original,2,2,cheap\n"),
    ("two-prices", 3, HEAD + "a,original,1,1,5\na,coarse,1,1,6\n"),
    ("two-words", 3, HEAD + "a,original,1,1,5\na,original,1,one,5\n"),
    ("currency", 3, HEAD + "a,original,1,1,¥5\na,original,2,2,$5\n"),
    ("date", 2, HEAD.replace("price", "price,date") + "a,original,1,1,5,someday\n"),
    ("date", 2, HEAD.replace("price", "price,date") + "a,original,1,1,5,2026-02-30\n"),
    ("empty", 2, HEAD + "a,original,1,,5\n"),
    ("empty", 2, HEAD + ",original,1,1,5\n"),
    ("empty", 2, HEAD + "a,,1,1,5\n"),
    ("delete", 3, HEAD + "a,original,1,1,5\na,delete,1,x,5\n"),
    ("original", None, HEAD + "a,coarse,1,1,5\n"),
]


@pytest.mark.parametrize(("rule", "line", "text"), WRONG)
def test_lists_that_cannot_be_used(tmp_path: Path, rule: str, line: int | None, text: str) -> None:
    with pytest.raises(InputError) as caught:
        read(tmp_path, text)
    (fault,) = caught.value.faults
    assert (fault.rule, fault.line) == (rule, line)
    assert fault.message.show("en")
    assert fault.message.show("ja")
    assert "prices.csv" in caught.value.message.show("en")

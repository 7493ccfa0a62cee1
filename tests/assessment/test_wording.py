"""Long lists of columns are counted, not printed."""

from __future__ import annotations

from tokumei.assessment.wording import name_columns


def test_six_columns_are_named_and_of_seven_five() -> None:
    assert name_columns(list("abcdef")).show("en") == "a, b, c, d, e, f"
    assert name_columns(list("abcdefg")).show("en") == "a, b, c, d, e and 2 more columns"

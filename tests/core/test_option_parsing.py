"""What is typed for an option becomes values, and names become what can be typed."""

from __future__ import annotations

import pytest

from tokumei.core.option_parsing import join_names, split_names

NAMES = [
    ("age", "sex"),
    ("a,b", "c"),
    ('say "hi"', "x y"),
    ('"quoted"', "日本"),
    ('a "b", c', " age "),
]


@pytest.mark.parametrize("names", NAMES)
def test_joined_names_are_split_into_the_same_names(names: tuple[str, ...]) -> None:
    assert split_names(join_names(names)) == names


def test_plain_names_need_no_quotation_marks() -> None:
    assert join_names(("age", "x y", "性別")) == "age,x y,性別"

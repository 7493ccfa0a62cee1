"""What fits a type plainly is what Pydantic would make of it; the rest is left to Pydantic."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import pytest
from pydantic import TypeAdapter

from tokumei.core.registry import match_exact_type

VALUES = [0, 5, True, 1.5, "5", "", "a", None, [], ["a"], ("a", "b"), [1], [["a"]], {"a": "b"}]
HINTS = [
    int, float, str, bool, int | None, float | None, int | float, str | Mapping[str, str],
    Literal["a", "b"], Literal[5], tuple[str, ...], tuple[int, ...] | None, tuple[str, int],
    Mapping[str, str],
]  # fmt: skip


@pytest.mark.parametrize("hint", HINTS, ids=str)
def test_what_fits_is_what_pydantic_makes_of_it(hint: Any) -> None:
    for value in VALUES:
        try:
            found = match_exact_type(value, hint)
        except TypeError:
            continue
        made = TypeAdapter(hint).validate_python(value)
        assert (type(found), found) == (type(made), made)


@pytest.mark.parametrize(
    ("value", "hint", "found"),
    [
        (5, int, 5),
        ("a", str | None, "a"),
        (["a"], tuple[str, ...], ("a",)),
        (None, int | None, None),
    ],
)
def test_plain_values_fit(value: Any, hint: Any, found: Any) -> None:
    assert match_exact_type(value, hint) == found


@pytest.mark.parametrize(
    ("value", "hint"), [("5", int), (True, int), (5, float), ("c", Literal["a"])]
)
def test_what_has_to_be_converted_does_not(value: Any, hint: Any) -> None:
    with pytest.raises(TypeError):
        match_exact_type(value, hint)

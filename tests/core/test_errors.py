"""Tests of tokumei.core.errors."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal

import pytest

from core.error_translation_helpers import JAPANESE
from tokumei.core.errors import UnknownNameError, UsageError
from tokumei.core.messages import Message
from tokumei.core.registry import build_params


@dataclass(frozen=True)
class Method:
    """A method with a field of every plain type."""

    number: float = 1.0
    whole: int = 1
    flag: bool = False
    unit: Literal["sd", "absolute"] = "sd"
    names: tuple[str, ...] = ()
    weights: dict[str, float] = field(default_factory=dict)
    text: str = ""


WRONG = [
    ("number", "x"), ("whole", 1.5), ("flag", "perhaps"), ("unit", "cm"), ("names", 3),
    ("weights", "x"), ("text", [1]),
]  # fmt: skip


@pytest.mark.parametrize(("name", "value"), WRONG)
def test_a_wrong_parameter_is_explained_in_both_languages(name: str, value: object) -> None:
    with pytest.raises(UsageError) as wrong:
        build_params(Method, {name: value}, where="method")
    english, japanese = wrong.value.message.show("en"), wrong.value.message.show("ja")
    assert "Input should" not in english
    assert JAPANESE.search(japanese.rpartition(":")[2])
    assert not re.search("[a-z]+ [a-z]+ [a-z]+", japanese)


def test_errors_carry_the_field_and_its_value():
    error = UsageError("wrong", field="qi", value="age")
    assert (error.field, error.value) == ("qi", "age")
    assert error.as_json()["field"] == "qi"
    assert "field" not in UsageError("wrong").as_json()
    unknown = UnknownNameError(Message("column"), "agee", ["age"], field="qi")
    assert (unknown.field, unknown.value) == ("qi", "agee")
    assert str(unknown).startswith("qi=: unknown column 'agee'. Did you mean 'age'?")

"""What libraries and the system say in English is said plainly, in both languages."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import pytest

from tokumei.core.error_translation import translate_system_error, translate_value_error
from tokumei.core.errors import UsageError
from tokumei.core.registry import build_params

JAPANESE = re.compile(r"[ぁ-んァ-ヶ一-龠]")


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
    english, japanese = wrong.value.message
    assert "Input should" not in english
    assert JAPANESE.search(japanese.rpartition(":")[2])
    assert not re.search("[a-z]+ [a-z]+ [a-z]+", japanese)


def test_choices_are_all_named() -> None:
    told = translate_value_error("Input should be 'a', 'b' or 'c'")
    assert told.en == "it must be 'a', 'b' or 'c'"
    assert told.ja.startswith("'a'、'b'、'c' ")


def test_what_nobody_put_into_words_stays_as_it_is() -> None:
    assert translate_value_error("Value error, two phases overlap").en == "two phases overlap"


def test_a_missing_file_is_told_in_both_languages(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as gone:
        (tmp_path / "gone").read_bytes()
    assert translate_system_error(gone.value).en == "no such file or folder"
    assert JAPANESE.search(translate_system_error(gone.value).ja)

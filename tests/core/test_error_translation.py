"""What libraries and the system say in English is said plainly, in every language."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.error_translation_helpers import JAPANESE
from tokumei.core.error_translation import translate_system_error, translate_value_error


def test_choices_are_all_named() -> None:
    told = translate_value_error("Input should be 'a', 'b' or 'c'")
    assert told.show("en") == "it must be one of 'a', 'b', 'c'"
    assert told.show("ja").startswith("'a'、'b'、'c' ")


def test_what_nobody_put_into_words_stays_as_it_is() -> None:
    assert (
        translate_value_error("Value error, two phases overlap").show("en") == "two phases overlap"
    )


def test_a_missing_file_is_told_in_both_languages(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as gone:
        (tmp_path / "gone").read_bytes()
    assert translate_system_error(gone.value).show("en") == "no such file or folder"
    assert JAPANESE.search(translate_system_error(gone.value).show("ja"))

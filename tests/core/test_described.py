"""Everything registered says what it is called and means, in every language."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest

from core import registered_classes
from core.described_helpers import EVERYTHING, in_both
from tokumei.core.described import describe_class, find_registered, find_title, format_column_names
from tokumei.core.messages import Message
from tokumei.kinds import all_kinds
from tokumei.tables.registry import measures

LONGEST_TITLE = 60


MAKEFILE = Path(__file__).parents[2] / "Makefile"


@pytest.mark.parametrize(("part", "kind"), EVERYTHING)
def test_everything_has_a_title_and_a_sentence(part: str, kind: Any) -> None:
    in_both(kind.title)
    in_both(kind.sentence)
    assert len(kind.title.show("en")) <= LONGEST_TITLE
    assert kind.title.show("en")[-1] not in ".。"
    assert kind.sentence.show("en").endswith(".")
    assert kind.sentence.show("ja").endswith("。")


def test_every_registered_class_is_held_against_its_type() -> None:
    checked = registered_classes.program()
    ast.parse(checked)
    for kind in all_kinds():
        for part, registry in kind.registries.items():
            variable = registered_classes.REGISTRY_NAMES.get(part, part)
            for name in registry.names():
                found = registry.get(name)
                place = f"{found.__module__}.{found.__qualname__}"
                assert f"{kind.home}.registry.{variable}.add({name!r}, {place})" in checked
    assert "$(BIN)/mypy $(VENV)/registered_classes.py" in MAKEFILE.read_text()


def test_foreign_classes_fall_back_on_what_they_have() -> None:
    class Mine:
        """Counts something.

        At length.
        """

    assert describe_class(Mine).show("en") == "Counts something."
    assert find_title(measures, "nowhere") == Message.verbatim("nowhere")
    assert find_registered(measures, "nowhere") is None


def test_many_columns_are_counted() -> None:
    assert format_column_names(["a", "b"]).texts() == {"en": "a, b", "ja": "「a」、「b」"}
    assert format_column_names(list("abcde")).show("en") == "5 columns"
    assert format_column_names([], Message("all")).show("en") == "all"

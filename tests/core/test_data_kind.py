"""Tests of tokumei.core.data_kind."""

from __future__ import annotations

import pytest

from tokumei.core.command import Command
from tokumei.core.data_kind import EVERY_FORMAT, KindServices
from tokumei.core.format_judge import FormatJudge
from tokumei.core.recipe import Recipe
from tokumei.kinds import all_kinds


@pytest.mark.parametrize("kind", all_kinds(), ids=lambda kind: kind.name)
def test_the_parts_of_a_kind_are_what_their_types_say(kind):
    assert isinstance(kind.flow, KindServices)
    assert all(issubclass(verb.ask(), Command) for verb in kind.commands.values())
    assert issubclass(kind.recipe(), Recipe)
    assert kind.recipe().kind is kind
    judges = kind.format_judges()
    assert EVERY_FORMAT not in judges
    assert {*judges} <= {*kind.formats.names()}
    assert all(issubclass(judge.load(), FormatJudge) for judge in judges.values())

"""Objects that are imported late: all of them exist; none is imported before it is needed."""

from __future__ import annotations

import subprocess
import sys
from collections import OrderedDict

import pytest

from core import registered_classes
from tokumei.core.command import Command
from tokumei.core.data_kind import EVERY_FORMAT, KindServices
from tokumei.core.format_judge import FormatJudge
from tokumei.core.lazy_imports import LazyObject
from tokumei.core.recipe import Recipe
from tokumei.kinds import all_kinds

LATE = sorted({(one.module, one.name) for _, one in registered_classes.late_objects()})


@pytest.mark.parametrize(("module", "name"), LATE)
def test_every_late_object_exists(module, name):
    assert LazyObject(module, name).load() is not None


def test_what_is_misspelt_fails_when_it_is_loaded():
    with pytest.raises(AttributeError, match="Ordered"):
        LazyObject("collections", "Ordered").load()
    with pytest.raises(ModuleNotFoundError, match="collektions"):
        LazyObject("collektions", "OrderedDict").load()


def test_a_class_is_recognized_without_an_import():
    late = LazyObject("collections", "OrderedDict")
    assert late.stands_for(OrderedDict)
    assert not late.stands_for(dict)
    assert not LazyObject("no.such.module", "OrderedDict").stands_for(OrderedDict)


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


def test_a_kind_imports_none_of_its_parts():
    program = (
        "import sys, tokumei.kinds\n"
        "kinds = tokumei.kinds.all_kinds()\n"
        "assert not any(kind.owns(7) for kind in kinds)\n"
        "parts = {one.module for kind in kinds for one in (kind.services, kind.recipe_class)}\n"
        "assert not ({'polars', 'numpy', 'pydantic'} | parts) & {*sys.modules}\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)

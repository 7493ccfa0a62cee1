"""Objects that are imported late: all of them exist; none is imported before it is needed."""

from __future__ import annotations

import subprocess
import sys
from collections import OrderedDict

import pytest

from core import registered_classes
from tokumei.core.lazy_imports import LazyObject

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


def test_a_kind_imports_none_of_its_parts():
    program = (
        "import sys, tokumei.kinds\n"
        "kinds = tokumei.kinds.all_kinds()\n"
        "assert not any(kind.owns(7) for kind in kinds)\n"
        "parts = {one.module for kind in kinds for one in (kind.services, kind.recipe_class)}\n"
        "assert not ({'polars', 'numpy', 'pydantic'} | parts) & {*sys.modules}\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)

"""Tests of tokumei.tables.commands.anonymize."""

from __future__ import annotations

from dataclasses import fields

import polars as pl
import pytest

from tables.profiling.questions_helpers import CASES
from tokumei.tables.commands.anonymize import AnonymizeTable
from tokumei.tables.profiling.profiler import look


@pytest.mark.parametrize("id", CASES)
def test_the_question_is_raised(id: str) -> None:
    columns, name = CASES[id]
    question = look(pl.DataFrame(columns))[name].question
    assert question is not None
    assert question.id == id
    whole = id in ("date-order", "two-digit-year")
    assert all(whole or name in option for option in question.options)
    options = {option.split()[0].removeprefix("--") for option in question.options}
    named = {option.replace("-", "_") for option in options}
    assert named <= {field.name for field in fields(AnonymizeTable)}, "an option that exists"
    assert question.text.show("en") != question.text.show("ja")

"""Tests of tokumei.tables.profiling.detection.header_types."""

from __future__ import annotations

import pytest

import tokumei as tk
from tables.profiling.strangers_helpers import ROWS, people
from tokumei.tables.profiling.detection.header_types import types_from_header


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("Mietpartei", "somebody"),
        ("Straat en huisnr", "address"),
        ("Zamieszkały", "address"),
        ("Doğum Tarihi", "birth_date"),
        ("Né(e) le", "birth_date"),
        ("Bankverbindung", "bank_account"),
        ("Kenteken", "ssn"),
        ("Vermerk", "free_text"),
        ("Apellidos y nombre", "name"),
        ("Nazwisko", "name"),
        ("使用者", "somebody"),
    ],
)
def test_names_of_columns_abroad(name: str, kind: str) -> None:
    assert types_from_header(name)[0] == kind


def test_names_with_braces_and_quantities() -> None:
    frame = people(**{"{x}": [f"kind {chr(97 + i % 26)}{'aei'[i % 3]}" for i in range(ROWS)]})
    question = tk.look(frame)["{x}"].question
    assert question is not None
    assert "'{x}'" in question.text.show("en")
    assert types_from_header("数量")[0] == "quantity"
    assert types_from_header("重量")[0] == "measure"

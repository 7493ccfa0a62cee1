"""Tests of tokumei.tables.profiling.detection.name_detection."""

from __future__ import annotations

import pytest

from tokumei.tables.profiling.detection.name_detection import is_name


@pytest.mark.parametrize("cell", ["mgr A. Lis", "mgr inż. Łukasz Bąk", "Ing. Novotná", "Smt Devi"])
def test_titles_abroad_stand_before_names(cell: str) -> None:
    assert is_name(cell)


@pytest.mark.parametrize("cell", ["ING Bank", "Mag Wheels", "Magdeburg West", "Bcc list", "Sri"])
def test_other_words_are_no_titles(cell: str) -> None:
    assert not is_name(cell)

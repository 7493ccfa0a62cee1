"""Tests of tokumei.apps.papers.published_values."""

import re

import pytest
import yaml

from apps.papers.papers_helpers import FIGURES, ROOT, entries
from tokumei.apps.papers.published_values import (
    PAPER_NUMBERS,
    read_paper_recipe,
    read_published_paper,
)
from tokumei.apps.papers.reproduction import PAPER_CLASSES, resolve_papers
from tokumei.core.lazy_imports import load_object


@pytest.mark.parametrize("number", PAPER_NUMBERS)
def test_every_block_of_the_files_is_computed_or_shown(number):
    names = entries(number)
    assert list(read_published_paper(number).blocks) == names
    assert len(set(names)) == len(names)
    kind = load_object(PAPER_CLASSES[number])
    assert [name for name in names if not callable(getattr(kind, name, None))] == []


@pytest.mark.parametrize("number", PAPER_NUMBERS)
def test_rows_fit_the_columns_and_corrections_their_cells(number):
    for block in read_published_paper(number).blocks.values():
        assert {len(row) for row in block.rows} <= {len(block.columns)}
        for (row, column), right in block.corrected.items():
            assert block.rows[row][list(block.columns).index(column)] != right


@pytest.mark.parametrize("number", PAPER_NUMBERS)
def test_the_recipe_is_the_example(number):
    example = (ROOT / "examples" / f"paper-{number}.yaml").read_text(encoding="utf-8")
    assert yaml.safe_load(example) == read_paper_recipe(number)
    assert resolve_papers(str(ROOT / "examples" / f"paper-{number}.yaml")) == {
        number: read_paper_recipe(number)
    }


@pytest.mark.parametrize("number", PAPER_NUMBERS)
def test_files_name_no_place_of_a_machine(number):
    text = (FIGURES / f"{number}.yaml").read_text(encoding="utf-8")
    assert not re.search(r"\.\./|/(home|work|root|tmp|Users)/", text)

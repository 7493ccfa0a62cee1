from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise

import pytest

from support.pages import own_part
from tables.report.report_html_helpers import Outline

AGAIN = """
import hashlib
from tokumei.core.randomness import Randomness
from tokumei.tables.datasets.households import sample_table
from tokumei.tables.registry import anonymizers
from tokumei.tables.report.report_page import render_report
from tokumei.tables.evaluation import evaluate
table = sample_table(200, seed=1)
release = anonymizers.build("mondrian", {"k": 5}).anonymize(table, rng=Randomness(2))
report = render_report([evaluate(table, release, label="x", rng=Randomness(3))])
print(hashlib.sha256(report.encode()).hexdigest())
"""


@pytest.mark.long
def test_the_same_input_gives_the_same_bytes(printed_twice: Callable[[str], list[str]]) -> None:
    here, elsewhere = printed_twice(AGAIN)
    assert len(here) == 65
    assert here == elsewhere


def test_nothing_is_loaded_from_anywhere(report: str) -> None:
    own = own_part(report)
    assert not re.search(r"https?://", own)
    assert "default-src &#39;none&#39;" in own
    outline = Outline(own)
    assert not outline.all("link")
    assert not any("src" in attrs for _, attrs in outline.tags)
    links = [attrs["href"] for attrs in outline.all("a")]
    assert all(href and href.startswith("#") for href in links)
    assert not re.search(r"localStorage|sessionStorage|document\.cookie", own)


def test_structure_is_accessible(report: str) -> None:
    outline = Outline(own_part(report))
    ids = [attrs["id"] for _, attrs in outline.tags if attrs.get("id")]
    assert len(ids) == len(set(ids))
    assert len(outline.all("h1")) == len(outline.all("main")) == 1
    assert len(outline.all("caption")) == len(outline.all("table"))
    assert all(attrs.get("scope") for attrs in outline.all("th"))
    keys = ("aria-labelledby", "aria-controls")
    named = {attrs[key] for _, attrs in outline.tags for key in keys if key in attrs}
    assert named <= set(ids)
    levels = [int(tag[1]) for tag, _ in outline.tags if re.fullmatch(r"h[1-6]", tag)]
    assert all(after - before <= 1 for before, after in pairwise(levels))


def test_all_sections_and_the_warning_are_there(report: str) -> None:
    for section in ("done", "scorecard", "tradeoff", "attacks", "closer", "recipe", "glossary"):
        assert f'id="{section}"' in report
    assert "values are unchanged; the low rate comes from a permuted link" in report
    assert "値は変わっていません" in report
    assert "検証済み" in report

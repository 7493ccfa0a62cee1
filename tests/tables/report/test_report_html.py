from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise

import numpy as np
import polars as pl
import pytest

from support.pages import own_part
from tokumei.core.errors import UsageError
from tokumei.core.messages import Message
from tokumei.core.provenance import Provenance
from tokumei.core.randomness import Randomness
from tokumei.report.html import script_safe_json
from tokumei.tables.data.table import Table
from tokumei.tables.evaluation import Evaluation, evaluate
from tokumei.tables.registry import anonymizers
from tokumei.tables.report.report_page import render_report

HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)>"
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


class Outline(HTMLParser):
    """What a page is made of: its tags with attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attrs for name, attrs in self.tags if name == tag]


@pytest.mark.long
def test_the_same_input_gives_the_same_bytes(printed_twice: Callable[[str], list[str]]) -> None:
    here, elsewhere = printed_twice(AGAIN)
    assert len(here) == 65
    assert here == elsewhere


def test_nothing_secret_enters(by_label: dict[str, Evaluation], original: Table) -> None:
    secret = np.arange(2000) + 7_654_320_000
    known = by_label["B noise"]
    provenance = replace(known.release.provenance, seed=987654321987, source_sha256="c0ffee" * 10)
    release = replace(known.release, link=secret, provenance=provenance)
    case = replace(known.case)
    object.__setattr__(case, "link", secret)
    page = render_report([replace(known, release=release, case=case)])
    assert "765432" not in page
    assert "987654321987" not in page
    assert "c0ffee" not in page
    assert "seeded" in page


@pytest.mark.parametrize(
    "recipe", ["seed: 424242", '{"seed": 424242}', "run --seed 424242", "random_seed=424242"]
)
def test_a_recipes_seed_is_left_out(
    recipe: str, by_label: dict[str, Evaluation], original: Table
) -> None:
    page = render_report([by_label["G swap"]], recipe=recipe)
    assert "424242" not in page
    assert "seed" in page


def hostile_table() -> Table:
    frame = pl.DataFrame(
        {f"q{HOSTILE}": [HOSTILE, "b"] * 20, "s": np.arange(40.0), f"s{HOSTILE}": np.arange(40.0)}
    )
    return Table.of(frame, qi=[f"q{HOSTILE}"], sa=["s", f"s{HOSTILE}"])


def test_hostile_names_and_cells_are_inert() -> None:
    table = hostile_table()
    release = anonymizers.build("unify", {"columns": [f"q{HOSTILE}"]}).anonymize(
        table, rng=Randomness(1)
    )
    release = replace(release, provenance=Provenance(({"method": HOSTILE, "x": HOSTILE},)))
    found = evaluate(table, release, label=HOSTILE, rng=Randomness(1))
    page = render_report([found], title=Message(HOSTILE, HOSTILE), recipe=HOSTILE)
    assert "<script>alert" not in page
    assert "<img" not in own_part(page)
    outline = Outline(own_part(page))
    assert len(outline.all("script")) == 3  # data, library, page
    assert not any(name.startswith("on") for _, attrs in outline.tags for name in attrs)


def test_json_cannot_leave_its_element() -> None:
    text = script_safe_json({"a": "</script><!--\u2028&"})
    assert not set("<>&\u2028") & set(text)


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


def test_opens_in_the_wanted_language(by_label: dict[str, Evaluation], original: Table) -> None:
    page = render_report([by_label["G swap"]], lang="ja")
    assert '<html lang="ja">' in page
    assert ">匿名加工レポート</title>" in page


def test_wrong_use_is_refused(by_label: dict[str, Evaluation], original: Table) -> None:
    with pytest.raises(UsageError, match="at least one"):
        render_report([])
    with pytest.raises(UsageError, match="'en' or 'ja'"):
        render_report([by_label["G swap"]], lang="fr")


def test_few_measures_suffice(original: Table) -> None:
    release = anonymizers.build("swap").anonymize(original, rng=Randomness(1))
    found = evaluate(
        original, release, label="few", rng=Randomness(1), measures=["S1"], attacks=["E1"]
    )
    page = render_report([found])
    assert 'id="tradeoff"' not in page

"""Tests of tokumei.tables.report.report_page."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

import tokumei as tk
from support.pages import own_part
from tables.report.report_html_helpers import Outline
from tokumei.core.errors import UsageError
from tokumei.core.messages import Message
from tokumei.core.provenance import Provenance
from tokumei.core.randomness import Randomness
from tokumei.tables.data.table import Table
from tokumei.tables.evaluation import Evaluation, evaluate
from tokumei.tables.registry import anonymizers
from tokumei.tables.report.report_page import render_report


def test_a_report_says_what_its_method_leaves_open():
    table = tk.sample_table(60, seed=1)
    release = tk.anonymize(table, "mondrian", k=3, seed=1)
    found = evaluate(table, release, label="one", rng=Randomness(1))
    page = render_report([found])
    assert "What this does not protect against" in page
    assert "4,010 of 30,162" in page


HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)>"


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
    page = render_report([found], title=Message.verbatim(HOSTILE), recipe=HOSTILE)
    assert "<script>alert" not in page
    assert "<img" not in own_part(page)
    outline = Outline(own_part(page))
    assert len(outline.all("script")) == 3  # data, library, page
    assert not any(name.startswith("on") for _, attrs in outline.tags for name in attrs)


def test_opens_in_the_wanted_language(by_label: dict[str, Evaluation], original: Table) -> None:
    page = render_report([by_label["G swap"]], lang="ja")
    assert '<html lang="ja">' in page
    assert ">匿名加工レポート</title>" in page


def test_wrong_use_is_refused(by_label: dict[str, Evaluation], original: Table) -> None:
    with pytest.raises(UsageError, match="at least one"):
        render_report([])
    with pytest.raises(UsageError, match="one of en, ja"):
        render_report([by_label["G swap"]], lang="fr")


def test_few_measures_suffice(original: Table) -> None:
    release = anonymizers.build("swap").anonymize(original, rng=Randomness(1))
    found = evaluate(
        original, release, label="few", rng=Randomness(1), measures=["S1"], attacks=["E1"]
    )
    page = render_report([found])
    assert 'id="tradeoff"' not in page

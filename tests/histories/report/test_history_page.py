from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from histories.report.history_page_helpers import Outline
from support.pages import own_part
from tokumei.core.sweep import Sweep, SweepPoint
from tokumei.histories.report.page import render_history_report
from tokumei.histories.study import HistoryStudy

AGAIN = """
import hashlib
from tokumei.histories.data.history import History
from tokumei.core.datasets.purchases import sample_purchases
from tokumei.histories.study import study_history
from tokumei.histories.report.page import render_history_report
history = History.of(sample_purchases(300, customers=12, items=20, seed=1)[0])
study = study_history(history, "rank-match", [2, 3], seed=4, examples="data")
print(hashlib.sha256(render_history_report(study).encode()).hexdigest())
"""


def everything(*studies: Any) -> str:
    return render_history_report(list(studies))


@pytest.mark.long
def test_the_same_input_gives_the_same_bytes(printed_twice: Callable[[str], list[str]]) -> None:
    here, elsewhere = printed_twice(AGAIN)
    assert len(here) == 65
    assert here == elsewhere


def test_the_table_holds_the_sweeps_figures(page: str, study: HistoryStudy) -> None:
    table = page[page.index('id="tradeoff"') : page.index('id="example"')].split("</tbody>")[0]
    for point in study.sweep.points:
        line = next(row for row in table.split("<tr") if f">{point.value}</th>" in row)
        figures = [point.risk, point.loss, point.total]
        figures += [point.measured[f"loss_{n}"] for n in ("day", "item", "price", "quantity")]
        cells = re.findall(r">(\d\.\d{3})</td>", line)
        assert cells == [f"{figure:.3f}" for figure in figures]
        assert f"{point.rows_kept * 100:.1f}&nbsp;%" in line
        assert ("smallest sum" in line) == (point is study.sweep.best)


def test_every_attack_stands_in_the_table(page: str, study: HistoryStudy) -> None:
    table = page[page.index('class="found"') :]
    for name, hits in study.attacks.items():
        line = next(row for row in table.split("<tr") if f"<b>{name}</b>" in row)
        assert f">{hits.tried}</td>" in line
        assert f">{hits.hits}</td>" in line
        assert ("no answer" in line) == (hits.tried == 0)


def test_both_languages_are_complete(
    category_study: HistoryStudy, internal_study: HistoryStudy
) -> None:
    outline = Outline(own_part(everything(category_study, internal_study)))
    english, japanese = outline.words["en"], outline.words["ja"]
    assert len(english) == len(japanese) > 200
    assert all(text.strip() for text in (*english, *japanese))
    assert not any(re.search(r"[ぁ-んァ-ヶ一-龠]", text) for text in english)
    sentences = [text for text in japanese if re.search(r"[A-Za-z]{3,} [a-z]{2,} [a-z]{2,}", text)]
    assert sentences == []


def test_nothing_is_loaded_from_anywhere(page: str) -> None:
    own = own_part(page)
    assert not re.search(r"https?://", own)
    assert "default-src &#39;none&#39;" in own
    outline = Outline(own)
    assert not outline.all("link")
    assert not any("src" in attrs for _, attrs in outline.tags)
    assert all((attrs["href"] or "").startswith("#") for attrs in outline.all("a"))


def test_structure_is_accessible(
    page: str, category_study: HistoryStudy, internal_study: HistoryStudy
) -> None:
    for text in (page, everything(category_study, internal_study)):
        outline = Outline(own_part(text))
        ids = [attrs["id"] for _, attrs in outline.tags if attrs.get("id")]
        assert len(ids) == len(set(ids))
        assert len(outline.all("h1")) == len(outline.all("main")) == 1
        assert len(outline.all("caption")) == len(outline.all("table"))
        assert all(attrs.get("scope") for attrs in outline.all("th"))
        keys = ("aria-labelledby", "aria-controls")
        named = {attrs[key] for _, attrs in outline.tags for key in keys if key in attrs}
        assert named <= set(ids)
        targets = {(attrs["href"] or "")[1:] for attrs in outline.all("a")}
        assert targets <= set(ids)
        levels = [int(tag[1]) for tag, _ in outline.tags if re.fullmatch(r"h[1-6]", tag)]
        assert all(after - before <= 1 for before, after in pairwise(levels))


def test_a_plain_sweep_gives_the_trade_off_alone() -> None:
    sweep = Sweep("rank-match", "k", (SweepPoint(2, 0.4, 0.5, 1.0), SweepPoint(4, 0.5, 0.25, 0.8)))
    page = own_part(render_history_report(sweep))
    assert 'id="tradeoff"' in page
    assert 'id="closer"' not in page
    longer = replace(sweep, method="aligned", points=(*sweep.points, SweepPoint(5, 0.6, 0.2, 0.7)))
    assert "5 releases compared" in render_history_report([sweep, longer])
    assert "An invented example" in page
    foreign = Sweep("somebody's", "share", (SweepPoint(0.5, 0.4, 0.5, 1.0),))
    assert 'id="example"' not in own_part(render_history_report(foreign))

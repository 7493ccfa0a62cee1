from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise
from typing import Any

import pytest

from support.pages import own_part
from tokumei import anonymize
from tokumei.core.errors import UsageError
from tokumei.core.messages import Message
from tokumei.core.sweep import Sweep, SweepPoint
from tokumei.histories.data.history import History
from tokumei.histories.report.page import render_history_report
from tokumei.histories.study import HistoryStudy

from .conftest import SEED

HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)>"
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


class Outline(HTMLParser):
    """A page's tags, and the words of each language in it."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: dict[str, list[str]] = {"en": [], "ja": []}
        self._open: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag == "span":
            names = (dict(attrs).get("class") or "").split()
            self._open.append(next((name for name in names if name in self.words), ""))
            if self._open[-1]:
                self.words[self._open[-1]].append("")

    def handle_endtag(self, tag: str) -> None:
        if tag == "span":
            self._open.pop()

    def handle_data(self, data: str) -> None:
        if self._open and self._open[-1]:
            self.words[self._open[-1]][-1] += data

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attrs for name, attrs in self.tags if name == tag]


def everything(*studies: Any) -> str:
    return render_history_report(list(studies))


@pytest.mark.long
def test_the_same_input_gives_the_same_bytes(printed_twice: Callable[[str], list[str]]) -> None:
    here, elsewhere = printed_twice(AGAIN)
    assert len(here) == 65
    assert here == elsewhere


@pytest.mark.parametrize("name", ["study", "category_study", "internal_study"])
def test_no_customer_pseudonym_or_seed_enters(
    name: str, history: History, request: pytest.FixtureRequest
) -> None:
    study = request.getfixturevalue(name)
    page = own_part(render_history_report(study))
    release = anonymize(history, "rank-match", k=study.k, seed=SEED)
    assert not any(customer in page for customer in history.customers)
    for pseudonym in release.rows.pseudonyms:
        assert not re.search(rf"(?<![\d.]){pseudonym}(?![\d.]*\d)", page)
    assert str(SEED) not in page
    assert "seeded" in page


def test_original_rows_are_shown_only_when_asked_for(
    page: str, internal_study: HistoryStudy
) -> None:
    internal = render_history_report(internal_study)
    assert internal_study.example.internal
    for step in internal_study.example.steps:
        assert all(line.day.en in internal for line in step.before)
    assert 'class="internal"' in internal
    assert "Internal – contains original rows." in internal
    assert "社外秘 — 元データの行を含みます。" in internal
    assert 'class="internal"' not in page
    assert "An invented example" in page
    assert "lantern" in page
    assert "lantern" not in own_part(internal)


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


def test_categories_are_told_both_ways(page: str, category_study: HistoryStudy) -> None:
    grouped = category_study.by_category
    assert grouped
    text = render_history_report(category_study)
    section = text[text.index('id="categories"') : text.index('id="method"')]
    for point in grouped.points:
        assert f">{point.loss:.3f}</td>" in section
        assert f"<b>{point.measured['honest_loss']:.3f}</b>" in section
    assert 'id="categories"' not in page


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


def test_hostile_names_are_inert(study: HistoryStudy) -> None:
    sweep = replace(study.sweep, method=HOSTILE)
    hostile = replace(
        study,
        sweep=sweep,
        by_category=study.sweep,
        category_sizes={HOSTILE: 3},
        attacks={HOSTILE: study.attacks["best"]},
    )
    points = tuple(
        replace(p, measured={**p.measured, "honest_loss": p.loss}) for p in study.sweep.points
    )
    hostile = replace(hostile, by_category=replace(sweep, points=points))
    page = render_history_report(hostile, title=Message(HOSTILE, HOSTILE))
    assert "<script>alert" not in page
    assert "<img" not in own_part(page)
    assert len(Outline(own_part(page)).all("script")) == 3  # data, library, page


def test_opens_in_the_wanted_language(study: HistoryStudy) -> None:
    page = render_history_report(study, lang="ja")
    assert '<html lang="ja">' in page
    assert ">購買履歴の匿名加工レポート</title>" in page


def test_wrong_use_is_refused(study: HistoryStudy) -> None:
    with pytest.raises(UsageError, match="at least one study"):
        render_history_report([])
    with pytest.raises(UsageError, match="at least one release"):
        render_history_report(Sweep("rank-match", "k", ()))
    with pytest.raises(UsageError, match="'en' or 'ja'"):
        render_history_report(study, lang="fr")
    with pytest.raises(UsageError, match="different parameters"):
        render_history_report([study, replace(study.sweep, parameter="share")])

"""Tests of tokumei.apps.studio.web.rendering."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from importlib.resources import files

import pytest

from apps.studio.conftest import Studio
from apps.studio.store.project_scene import EVIL, SECRET
from apps.studio.store.project_scene import project as project
from support.made_up_language import made_up as made_up
from tokumei.apps.studio.jobs.manager import Job, JobState
from tokumei.apps.studio.jobs.worker import JOB_HANDLERS
from tokumei.apps.studio.store.project import Project
from tokumei.apps.studio.store.records import ErrorRecord
from tokumei.apps.studio.web.rendering import (
    format_bytes,
    format_count,
    format_people,
    format_utc_moment,
)
from tokumei.core.language import language_context


class FormNesting(HTMLParser):
    """Finds forms inside forms: a browser drops the inner one, and ends the outer with it."""

    def __init__(self) -> None:
        super().__init__()
        self.depth, self.nested = 0, list[str]()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "form":
            self.depth += 1
            if self.depth > 1:
                self.nested.append(str(dict(attrs).get("action")))

    def handle_endtag(self, tag: str) -> None:
        self.depth -= tag == "form"


def nested_forms(text: str) -> list[str]:
    parser = FormNesting()
    parser.feed(text)
    return parser.nested


def test_a_nested_form_is_found() -> None:
    assert nested_forms('<form action="a"><p><form action="b"></form></form>') == ["b"]


@pytest.mark.parametrize("state", ["running", "failed", "stopped", "cancelled"])
def test_no_page_nests_forms_whatever_its_jobs_do(
    studio: Studio, project: Project, state: JobState
) -> None:
    """A form closed by another loses the answers that follow."""
    error: ErrorRecord = {"message": {"en": "why"}, "faults": [{"en": "what"}]}
    jobs = {
        name: Job(name, state, "2026-11-16T08:05:09Z", {"id": "a", "ids": []}, error=error)
        for name in JOB_HANDLERS
    }
    studio.jobs.of(project)
    studio.jobs._jobs_by_project[project.id] = jobs
    for page in ("look", "purpose", "candidates", "compare?c=a&c=b", "attack", "release"):
        text = studio.ask("GET", f"/p/{project.id}/{page}").text
        assert page.startswith("compare") or "data-job=" in text, page
        assert not nested_forms(text), page


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_every_page_is_shown_escaped_and_masked(
    studio: Studio, project: Project, lang: str
) -> None:
    pages = ["look", "purpose", "candidates", "candidates?c=b", "compare?c=a&c=b", "compare"]
    for page in [*pages, "attack", "release"]:
        sign = "&" if "?" in page else "?"
        answer = studio.ask("GET", f"/p/{project.id}/{page}{sign}lang={lang}")
        assert answer.status_code == 200, page
        assert f'<html lang="{lang}">' in answer.text
        assert EVIL not in answer.text
        assert SECRET not in answer.text
        assert " style=" not in answer.text
        assert not nested_forms(answer.text), page


def test_every_language_can_be_chosen(studio: Studio, project: Project, made_up: str) -> None:
    """What a result holds in no other language is shown in English."""
    text = studio.ask("GET", f"/p/{project.id}/candidates?lang={made_up}").text
    assert f'<html lang="{made_up}">' in text
    assert f'lang="{made_up}" hreflang="{made_up}" aria-current="true">Xexe</a>' in text
    assert 'lang="ja" hreflang="ja">日本語</a>' in text
    assert "because" in text
    assert "87,5%" in text


def test_figures_are_written_as_the_language_does(made_up: str) -> None:
    moment = "2026-11-16T08:05:09Z"
    assert [format_count(value) for value in (0.25, 2.0, 1234.6)] == ["0.2", "2", "1,235"]
    assert [format_people(value) for value in (0, 0.2, 1234)] == ["0", "fewer than 1", "1,234"]
    assert [format_bytes(count) for count in (12, 1536, 3 << 29)] == ["12 B", "1.5 kB", "1.5 GB"]
    assert format_utc_moment(moment) == "2026-11-16 08:05 UTC"
    assert format_utc_moment("some day") == "some day"
    with language_context(made_up):
        assert (format_count(1234.6), format_count(0.25)) == ("1.235", "0,2")
        assert format_bytes(1536) == "1,5 kB"
        assert format_utc_moment(moment) == "16.11.2026 08.05 UTC"


def test_only_a_verdict_is_a_green_sentence() -> None:
    """Colour is a judgement: words are green where the assessment says that a release fits."""
    css = (files("tokumei.apps.studio.web") / "static" / "studio.css").read_text("utf-8")
    green = re.findall(r"([^{}]+)\{[^{}]*[^-]color: var\(--good\)[^{}]*\}", css)
    assert [selector.strip() for selector in green if "verdict-fits" not in selector] == []
    assert len(green) == 2

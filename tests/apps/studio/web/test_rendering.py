"""Tests of tokumei.apps.studio.web.rendering."""

from __future__ import annotations

import pytest

from apps.studio.conftest import Studio
from apps.studio.store.project_scene import EVIL, SECRET
from apps.studio.store.project_scene import project as project
from support.made_up_language import made_up as made_up
from tokumei.apps.studio.store.project import Project
from tokumei.apps.studio.web.rendering import (
    format_bytes,
    format_count,
    format_people,
    format_utc_moment,
)
from tokumei.core.messages import language_context


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


def test_every_language_can_be_chosen(studio: Studio, project: Project, made_up: str) -> None:
    """What a result holds in no other language is shown in English."""
    text = studio.ask("GET", f"/p/{project.id}/candidates?lang={made_up}").text
    assert f'<html lang="{made_up}">' in text
    assert f'lang="{made_up}" hreflang="{made_up}" aria-current="true">Xexe</a>' in text
    assert 'lang="ja" hreflang="ja">日本語</a>' in text
    assert "because" in text
    assert "10%" in text


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

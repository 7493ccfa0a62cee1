"""Tests of tokumei.apps.studio.web.rendering."""

from __future__ import annotations

import pytest

from apps.studio.conftest import Studio
from apps.studio.store.project_scene import EVIL, SECRET
from apps.studio.store.project_scene import project as project
from tokumei.apps.studio.store.project import Project


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

"""The studio's pages as views of one assessment: no figure and no verdict of their own."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.assessment.views.collectors import (
    Shown,
    find_contradictions,
    read_sentences,
    visible_text,
)

from apps.studio.adapters_helpers import QUIET, chosen
from apps.studio.conftest import Studio
from apps.studio.page_figures import collect, contradictions
from tokumei.apps.studio.job_handlers.assess import assess_candidate
from tokumei.apps.studio.job_handlers.profile_source import profile_source
from tokumei.apps.studio.job_handlers.release import write_release
from tokumei.apps.studio.store.project import Project

ROWS = "".join(
    f"P-{i // 2:03d},{20 + i * 7 % 41},{'MF'[i * 5 % 7 % 2]},{1000 + i * 37}\n" for i in range(96)
)
ROLES = {"id": "identifier", "age": "quasi", "sex": "quasi", "points": "keep"}
PAGES = ("candidates", "attack", "release")


def shown_by(page: str, text: str, lang: str) -> Iterator[Shown]:
    """What a page shows in words; the wish for something safer is no verdict."""
    main = re.sub(r'<div class="wishes".*?</div>', "", text.partition("<main")[2], flags=re.DOTALL)
    yield from read_sentences(f"studio {page} {lang}", visible_text(main, lang))
    for word in re.findall(r'data-verdict="([\w-]+)"', main):
        yield Shown(f"studio {page} {lang}", "verdict", word)


def pages_of(studio: Studio, project: Project, names: tuple[str, ...]) -> dict[str, str]:
    return {
        f"{name} {lang}": studio.ask("GET", f"/p/{project.id}/{name}?lang={lang}").text
        for name in names
        for lang in ("en", "ja")
    }


@pytest.mark.parametrize("recipient", ["public", "partner", "inside"])
@pytest.mark.parametrize("person", ["id", None])
def test_pages_say_what_the_assessment_says(
    studio: Studio, tmp_path: Path, recipient: str, person: str | None
) -> None:
    (tmp_path / "people.csv").write_text(f"id,age,sex,points\n{ROWS}", encoding="utf-8")
    project = studio.home.begin("people.csv", tmp_path / "people.csv")
    profile_source(project, {}, QUIET)
    project.change(roles=ROLES, person=person, purpose={"recipient": recipient})
    id = chosen(project)
    assess_candidate(project, {"id": id}, QUIET)
    shown = pages_of(studio, project, PAGES)
    folder = tmp_path / "out"
    write_release(project, {"id": id, "folder": str(folder), "anyway": "a test"}, QUIET)
    shown |= {
        f"written {name}": text for name, text in pages_of(studio, project, ("release",)).items()
    }
    document: Any = json.loads((folder / "assessment.json").read_text("utf-8"))
    found = list[str]()
    for name, text in shown.items():
        views = [*shown_by(name, text, name[-2:])]
        assert any(view.figure == "verdict" for view in views), name
        found += find_contradictions(document, views)
        if name.endswith("en"):
            assert {"strongest", "bound", "kept"} <= collect(text).keys(), name
            found += [str(entry) for entry in contradictions(name, text, document)]
    assert found == []

"""Tests of tokumei.apps.studio.job_handlers.read_preview."""

from __future__ import annotations

from pathlib import Path

from golden.studio import SilentTeller
from tokumei.apps.studio.job_handlers.profile_source import profile_source
from tokumei.apps.studio.job_handlers.read_preview import preview_reading
from tokumei.apps.studio.store.home import StudioHome
from tokumei.apps.studio.store.project import Project


def begin(folder: Path, text: str) -> Project:
    content = folder / "content"
    content.write_text(text)
    return StudioHome.open(folder / "home").begin("a.csv", content)


def test_other_options_are_tried_without_being_decided(tmp_path: Path) -> None:
    rows = "".join(f"ann{n}@example.org;{n}\n" for n in range(9))
    project = begin(tmp_path, f"mail;n\n{rows}")
    before = project.state()
    preview_reading(project, {"reading": {"header_row": "none"}}, SilentTeller())
    tried = project.result("reading")
    assert tried is not None
    assert len(tried["rows"]) == 8
    assert "ann1@" not in str(tried["rows"])
    preview_reading(project, {"reading": {"sep": "|", "header_row": "99"}}, SilentTeller())
    assert project.result("reading")["problems"]
    assert project.state() == before


def test_a_text_that_nothing_splits_is_one_column(tmp_path: Path) -> None:
    project = begin(tmp_path, "city\n" + "Rome\nOslo\n" * 9)
    profile_source(project, {}, SilentTeller())
    look = project.result("look")
    assert [column["name"] for column in look["columns"]] == ["city"]
    assert look["dialect"]["doubts"]
    assert project.state().reading.options() == {"sep": ","}

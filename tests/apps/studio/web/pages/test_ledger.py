"""Tests of tokumei.apps.studio.web.pages.ledger."""

from __future__ import annotations

from pathlib import Path

import pytest

from apps.studio.conftest import Studio
from apps.studio.store.project_scene import EVIL
from apps.studio.store.project_scene import project as project
from tokumei.apps.studio.store.project import Project

JOINT = {
    "checked": "2026-01-01T00:00:00Z", "level": "bad", "verdict": {"en": "v"}, "added": {"en": "a"},
    "faults": [{"en": f"joint k 1 {EVIL}", "ja": "1"}], "k": 5, "words": [{"en": "w"}],
    "linkage": [[True, {"en": "same order", "ja": "同じ順"}]], "notes": [],
    "entries": [{"name": EVIL, "recipient": EVIL, "made": "2026-01-01", "k": 5, "people": 9,
                 "below": 3, "of": 9}],
}  # fmt: skip


@pytest.fixture
def recording(project: Project, tmp_path: Path) -> Project:
    """The project with a ledger, and a check that broke the limit."""
    folder = tmp_path / "ledger"
    folder.mkdir()
    (folder / "ledger.jsonl").write_text("", encoding="utf-8")
    asked = {"folder": str(folder), "key_file": None, "recipient": EVIL, "id": "name"}
    state = project.change(ledger=asked)
    project.write_result("joint/a", {"inputs": state.inputs("joint"), **JOINT})
    return project


@pytest.mark.parametrize("page", ["attack", "release"])
def test_what_earlier_releases_add_is_told_and_a_broken_limit(
    studio: Studio, recording: Project, page: str
) -> None:
    text = studio.ask("GET", f"/p/{recording.id}/{page}?lang=en").text
    assert "breaks the limit" in text
    assert "not yet released" in text
    assert EVIL not in text
    assert "AUC" not in text
    recording.change(ledger={**recording.state().model_dump()["ledger"], "recipient": "other"})
    text = studio.ask("GET", f"/p/{recording.id}/{page}?lang=en").text
    assert "breaks the limit" not in text
    assert "Being checked" in text


def test_a_ledger_is_named_and_taken_away(studio: Studio, project: Project, tmp_path: Path) -> None:
    path, folder = f"/p/{project.id}/ledger", tmp_path / "ledger"
    form = {"folder": str(folder), "recipient": "A", "id": "name"}
    refused = studio.ask("POST", path, json=form)
    assert refused.status_code == 422
    assert "Make a new ledger" in refused.text
    folder.mkdir()
    (folder / "ledger.jsonl").write_text("", encoding="utf-8")
    for wrong in ({"id": EVIL}, {"recipient": ""}, {"folder": "relative"}):
        assert studio.ask("POST", path, json={**form, **wrong}).status_code == 422
    assert studio.ask("POST", path, json=form).status_code == 303
    found = project.state().ledger
    assert found is not None
    assert (found.recipient, found.id, found.key_file) == ("A", "name", None)
    assert studio.ask("POST", path, json={"without": "yes"}).status_code == 303
    assert project.state().ledger is None

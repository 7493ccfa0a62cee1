"""Tests of tokumei.apps.studio.job_handlers.release."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml

from apps.studio.adapters_helpers import QUIET, chosen
from apps.studio.job_handlers.release_fixtures import people as people
from tokumei.apps.studio.job_handlers.release import write_release
from tokumei.apps.studio.store.project import Project
from tokumei.assessment.assess import assess_table
from tokumei.assessment.open_release import AssessTable
from tokumei.core.errors import UsageError
from tokumei.core.scenario import Scenario
from tokumei.ledger.ledger import Ledger

pytestmark = pytest.mark.long


def test_what_does_not_get_its_name_is_not_recorded(
    people: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    id = chosen(people)

    def full(*_: Any) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(Path, "rename", full)
    monkeypatch.setattr(shutil, "move", full)
    with pytest.raises(OSError, match="no space"):
        write_release(
            people, {"id": id, "folder": str(tmp_path / "out"), "anyway": "a test"}, QUIET
        )
    monkeypatch.undo()
    book = Ledger(tmp_path / "ledger")
    assert not book.entries
    assert not book.unconfirmed_numbers


def test_a_candidate_of_earlier_decisions_is_not_written(people: Project, tmp_path: Path) -> None:
    """The person column is set after the candidates were made: they are void."""
    id = chosen(people)
    people.change(person=None)
    with pytest.raises(UsageError, match="void"):
        write_release(people, {"id": id, "folder": str(tmp_path / "out"), "anyway": "x"}, QUIET)
    assert not (tmp_path / "out").exists()
    assert not Ledger(tmp_path / "ledger").entries


def test_what_does_not_fit_is_written_only_for_a_reason(people: Project, tmp_path: Path) -> None:
    people.change(ledger=None, scenario={"smallest_class": 40})
    id = chosen(people)
    target = tmp_path / "out"
    with pytest.raises(UsageError, match="Does not fit"):
        write_release(people, {"id": id, "folder": str(target), "anyway": "  "}, QUIET)
    assert not target.exists()
    assert not list(tmp_path.glob(".tokumei-*"))
    write_release(people, {"id": id, "folder": str(target), "anyway": "for a trial"}, QUIET)
    decision = json.loads((target / "secret/released-anyway.json").read_text("utf-8"))
    assert decision["reason"] == "for a trial"
    assert decision["scenario"]["limits"]["smallest_class"] == 40
    assert (target / "secret/released-anyway.json").stat().st_mode & 0o077 == 0
    assert "for a trial" in (target / "README.md").read_text("utf-8")
    assert "for a trial" in (target / "assessment.html").read_text("utf-8")
    assert "for a trial" not in "".join(
        path.read_text("utf-8") for path in (target / "releases").iterdir()
    )
    released = people.result("released")
    assert released is not None
    assert released["assessment"]["document"] == _assess_again(people, target)


def _assess_again(project: Project, folder: Path) -> Any:
    """What the service says of the files, under the scenario that the recipe names."""
    written = json.loads((folder / "assessment.json").read_text("utf-8"))
    recipe = yaml.safe_load((folder / "recipe.yaml").read_text("utf-8"))
    again = assess_table(
        AssessTable(
            original=str(project.source),
            release=str(folder / "releases/01-release.csv"),
            link=str(folder / "secret/01-release.csv"),
            scenario=Scenario.from_dict(recipe["scenario"]),
        )
    )
    assert json.loads(json.dumps(again.to_dict())) == written
    return written

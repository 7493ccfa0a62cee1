"""Tests of tokumei.apps.studio.job_handlers.release."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from apps.studio.adapters_helpers import QUIET, begun, chosen
from tokumei.apps.studio.job_handlers.attack import check_candidate
from tokumei.apps.studio.job_handlers.release import write_release
from tokumei.apps.studio.store.project import Project
from tokumei.core.errors import ClaimError
from tokumei.ledger.ledger import Ledger

pytestmark = pytest.mark.long


@pytest.fixture
def people(tmp_path: Path) -> Project:
    # By their points, which leave as they are, rows of two releases can be told to be one person's.
    rows = "".join(
        f"P-{i:03d},{20 + i * 7 % 41},{'MF'[i * 5 % 7 % 2]},{1000 + i * 37}\n" for i in range(48)
    )
    made = begun(tmp_path, "people.csv", f"id,age,sex,points\n{rows}")
    roles = {"id": "identifier", "age": "quasi", "sex": "quasi", "points": "keep"}
    made.change(roles=roles)
    Ledger.create(tmp_path / "ledger", tmp_path / "ledger.key")
    asked = {"folder": str(tmp_path / "ledger"), "recipient": "A", "id": "id"}
    made.change(ledger=asked)
    return made


def test_a_release_is_checked_first_and_recorded_last(people: Project, tmp_path: Path) -> None:
    id = chosen(people)
    check_candidate(people, {"id": id}, QUIET)
    first = people.result(f"joint/{id}")
    assert first is not None
    assert first["verdict"] is None
    assert not Ledger(tmp_path / "ledger").entries
    target = tmp_path / "out"
    write_release(people, {"id": id, "folder": str(target)}, QUIET)
    (entry,) = Ledger(tmp_path / "ledger").entries
    assert Ledger(tmp_path / "ledger").public_path(entry) == target / "releases/01-release.csv"
    done = people.result("released")
    assert done is not None
    assert done["recorded"]["name"] == entry.name
    assert people.result(f"joint/{id}") is None
    refused(people, id, tmp_path)


def refused(project: Project, id: str, tmp_path: Path) -> None:
    """Another candidate cuts the classes of the first: it is said, and not written."""
    before = len(Ledger(tmp_path / "ledger").entries)
    first = project.result(f"candidates/{id}")
    assert first is not None
    other = {**first["request"], "steps": [{"method": "mondrian", "k": 5}]}
    project.write_result("candidates/other", {**first, "id": "other", "request": other})
    check_candidate(project, {"id": "other"}, QUIET)
    told = project.result("joint/other")
    assert told is not None
    assert told["faults"]
    with pytest.raises(ClaimError):
        write_release(project, {"id": "other", "folder": str(tmp_path / "second")}, QUIET)
    assert not (tmp_path / "second").exists()
    assert not list(tmp_path.glob(".tokumei-*"))
    assert len(Ledger(tmp_path / "ledger").entries) == before


def test_what_does_not_get_its_name_is_not_recorded(
    people: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    id = chosen(people)

    def full(*_: Any) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(Path, "rename", full)
    monkeypatch.setattr(shutil, "move", full)
    with pytest.raises(OSError, match="no space"):
        write_release(people, {"id": id, "folder": str(tmp_path / "out")}, QUIET)
    monkeypatch.undo()
    book = Ledger(tmp_path / "ledger")
    assert not book.entries
    assert not book.unconfirmed_numbers

"""Tests of tokumei.apps.studio.job_handlers.assess."""

from __future__ import annotations

from pathlib import Path

import pytest

from apps.studio.adapters_helpers import QUIET, chosen
from apps.studio.job_handlers.release_fixtures import people as people
from tokumei.apps.studio.job_handlers.assess import check_candidate
from tokumei.apps.studio.job_handlers.release import write_release
from tokumei.apps.studio.store.project import Project
from tokumei.core.errors import ClaimError
from tokumei.ledger.ledger import Ledger

pytestmark = pytest.mark.long


def test_a_release_is_checked_first_and_recorded_last(people: Project, tmp_path: Path) -> None:
    id = chosen(people)
    check_candidate(people, {"id": id}, QUIET)
    first = people.result("joint", id)
    assert first is not None
    assert first["verdict"] is None
    assert not Ledger(tmp_path / "ledger").entries
    target = tmp_path / "out"
    write_release(people, {"id": id, "folder": str(target), "anyway": "a test"}, QUIET)
    (entry,) = Ledger(tmp_path / "ledger").entries
    assert Ledger(tmp_path / "ledger").public_path(entry) == target / "releases/01-release.csv"
    done = people.result("released")
    assert done is not None
    assert done["recorded"]["name"] == entry.name
    assert people.result("joint", id) is None
    refused(people, id, tmp_path)


def refused(project: Project, id: str, tmp_path: Path) -> None:
    """Another candidate cuts the classes of the first: it is said, and not written."""
    before = len(Ledger(tmp_path / "ledger").entries)
    first = project.result("candidates", id)
    assert first is not None
    other = {**first["request"], "steps": [{"method": "mondrian", "k": 5}]}
    project.write_result("candidates/other", {**first, "id": "other", "request": other})
    check_candidate(project, {"id": "other"}, QUIET)
    told = project.result("joint", "other")
    assert told is not None
    assert told["faults"]
    with pytest.raises(ClaimError):
        write_release(
            project, {"id": "other", "folder": str(tmp_path / "second"), "anyway": "a test"}, QUIET
        )
    assert not (tmp_path / "second").exists()
    assert not list(tmp_path.glob(".tokumei-*"))
    assert len(Ledger(tmp_path / "ledger").entries) == before

"""Tests of tokumei.apps.studio.job_handlers.release."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from apps.studio.adapters_helpers import QUIET, chosen
from apps.studio.job_handlers.release_fixtures import people as people
from tokumei.apps.studio.job_handlers.release import write_release
from tokumei.apps.studio.store.project import Project
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
        write_release(people, {"id": id, "folder": str(tmp_path / "out")}, QUIET)
    monkeypatch.undo()
    book = Ledger(tmp_path / "ledger")
    assert not book.entries
    assert not book.unconfirmed_numbers

"""Tests of tokumei.apps.studio.job_handlers.contest_upload."""

from __future__ import annotations

from pathlib import Path

import pytest

from apps.studio.adapters_helpers import QUIET, chosen
from tokumei.apps.contest.spec.sample_folder import write_sample_contest
from tokumei.apps.studio.job_handlers.contest_upload import make_upload
from tokumei.apps.studio.job_handlers.profile_source import profile_source
from tokumei.apps.studio.job_handlers.release import write_release
from tokumei.apps.studio.store.contest_source import read_contest_source
from tokumei.apps.studio.store.home import StudioHome

pytestmark = pytest.mark.long


@pytest.mark.parametrize("preset", ["table", "pws2018"])
def test_a_contest_s_folder_becomes_an_upload_that_its_own_check_accepts(
    tmp_path: Path, preset: str
) -> None:
    write_sample_contest(tmp_path / "contest", preset=preset, rows=300)
    found = read_contest_source(str(tmp_path / "contest"))
    home = StudioHome.open(tmp_path / "home")
    project = home.begin(found.data.name, found.data, kind=found.kind, contest=found.folder)
    profile_source(project, {}, QUIET)
    write_release(
        project, {"id": chosen(project), "folder": str(tmp_path / "out"), "anyway": "a test"}, QUIET
    )
    make_upload(project, {}, QUIET)
    made = project.result("uploaded")
    assert made is not None
    assert made["accepted"], made["faults"]

"""Tests of tokumei.apps.studio.store.home."""

from __future__ import annotations

import signal
from pathlib import Path
from typing import Any

import pytest

from apps.studio.browser_helpers import sample
from apps.studio.served import Person, served, started
from tokumei.apps.http.errors import UnprocessableContent
from tokumei.apps.studio.store.home import StudioHome, clean_data_name

pytestmark = [pytest.mark.browser, pytest.mark.long]


def test_a_cancelled_and_a_killed_job(chromium: Any, tmp_path: Path) -> None:
    asked = ["table", "--rows", "2500"]
    data = sample(tmp_path / "households.csv", *asked)
    home = tmp_path / "home"
    studio = started(home, "--seconds", "3600")
    person = Person(chromium, studio.address)
    person.drop(data)
    person.on("purpose")
    person.on("candidates")
    person.wait(".job.running button")
    person.click(".job.running button")
    person.wait(".job.cancelled button")
    person.click(".job.cancelled button")
    person.wait(".job.running")
    person.wait("[data-point]")
    ((project, _),) = StudioHome(home).list_recent_projects()
    kept = {one["id"] for one in project.candidates()}
    studio.process.send_signal(signal.SIGKILL)
    studio.process.wait()
    person.context.close()
    with served(home, "--seconds", "3600") as again:
        person = Person(chromium, again.address)
        page = person.page
        page.click(".projects li > a")
        person.wait(".job.stopped button")
        assert kept <= {one["id"] for one in project.candidates()}
        assert not [path for path in home.rglob(".tokumei-*") if path.exists()]
        person.click(".job.stopped button")
        person.wait(".job.running")
        person.click(".job.running button")
        person.wait(".job.cancelled")
        person.close()


@pytest.mark.parametrize("given", ["x.exe", "x.html", "", "csv", "x.csv.exe", "x.py"])
def test_other_kinds_of_files_are_refused(given: str) -> None:
    with pytest.raises(UnprocessableContent):
        clean_data_name(given)

"""Tests of tokumei.apps.studio.jobs.manager."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from support.waiting import process_is_alive, wait_until
from tokumei.apps.studio.jobs import manager
from tokumei.apps.studio.jobs.manager import Job, JobLimits, JobManager
from tokumei.apps.studio.store.home import StudioHome
from tokumei.apps.studio.store.project import Project

PEOPLE = "name,age,sex\n" + "".join(
    f"Ann Smith {i},{20 + i % 50},{'MF'[i % 2]}\n" for i in range(60)
)


@pytest.fixture
def home(tmp_path: Path) -> StudioHome:
    return StudioHome.open(tmp_path / "home")


def begun(home: StudioHome, text: str = PEOPLE, name: str = "people.csv") -> Project:
    content = home.folder.parent / "content"
    content.write_text(text, encoding="utf-8")
    return home.begin(name, content)


def endless(module: str) -> list[str]:
    """The command of a job that does not end by itself."""
    return [sys.executable, "-c", "import time; time.sleep(3600)"]


def waited(jobs: JobManager, project: Project, what: str) -> Job:
    wait_until(lambda: not jobs.of(project)[what].running)
    return jobs.of(project)[what]


@pytest.mark.long
def test_a_look_settles_roles_and_masks_what_identifies(home: StudioHome) -> None:
    project, jobs = begun(home), JobManager()
    jobs.start(project, "look")
    assert waited(jobs, project, "look").state == "done"
    found, state = project.result("look"), project.state()
    assert found is not None
    assert state.roles == {"name": "identifier", "age": "quasi", "sex": "quasi"}
    assert found["exposure"]["columns"] == ["age", "sex"]
    assert "Smith" not in json.dumps(found)
    assert JobManager().of(project)["look"].state == "done"


@pytest.mark.long
def test_what_is_wrong_with_a_file_is_told(home: StudioHome) -> None:
    project, jobs = begun(home, "PK\3\4nonsense", "people.xlsx"), JobManager()
    jobs.start(project, "look")
    job = waited(jobs, project, "look")
    assert job.state == "failed"
    assert "people.xlsx" in job.reason.show("en")
    assert project.result("look") is None


@pytest.mark.long
def test_too_little_memory_ends_a_job_and_nothing_else(home: StudioHome) -> None:
    rows = "".join(f"{i},{i * 7919 % 1000003}\n" for i in range(200_000))
    project, jobs = begun(home, f"a,b\n{rows}"), JobManager(JobLimits(megabytes=1))
    jobs.start(project, "look")
    job = waited(jobs, project, "look")
    assert job.state == "failed"
    assert "memory" in job.reason.show("en")
    assert project.result("look") is None


@pytest.mark.long
def test_a_cancelled_job_is_gone_and_can_be_begun_again(
    home: StudioHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    project, jobs = begun(home), JobManager()
    with monkeypatch.context() as patched:
        patched.setattr(manager, "python_command", endless)
        jobs.start(project, "look")
    jobs.cancel(project, "look")
    assert jobs.of(project)["look"].state == "cancelled"
    jobs.start(project, "look")
    assert waited(jobs, project, "look").state == "done"
    jobs.close()


def test_what_a_killed_server_left_running_has_stopped(home: StudioHome) -> None:
    project = begun(home)
    jobs = JobManager()
    jobs._save_job(project, Job("advise", "running", "2026-01-01T00:00:00Z", share=0.5))
    (project.folder / ".tokumei-unverified-0011").write_text("half")
    (home.folder / "arriving" / "abc").write_text("half")
    again = JobManager()
    again.open(StudioHome.open(home.folder))
    assert again.of(project)["advise"].state == "stopped"
    assert not (project.folder / ".tokumei-unverified-0011").exists()
    assert not list((home.folder / "arriving").iterdir())


@pytest.mark.long
def test_a_job_ends_with_whoever_asked_for_it(home: StudioHome) -> None:
    project = begun(home, "a\n" + "x y z\n" * 300_000)
    code = (
        "import sys, time; from pathlib import Path\n"
        "from tokumei.apps.studio.jobs.manager import JobManager\n"
        "from tokumei.apps.studio.store.project import Project\n"
        f"jobs = JobManager(); jobs.start(Project(Path({str(project.folder)!r})), 'look')\n"
        "print(next(iter(jobs._running.values())).pid, flush=True); time.sleep(3600)"
    )
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, env=env) as server:
        assert server.stdout is not None
        child = int(server.stdout.readline())
        server.send_signal(signal.SIGKILL)
    wait_until(lambda: not process_is_alive(child))
    assert project.result("look") is None


def test_the_last_change_wins_and_is_counted(home: StudioHome) -> None:
    project = begun(home)
    before = project.state().stamp
    first = project.change(person="a")
    assert project.change(person="a") == first
    second = project.change(off=["nfkc"])
    assert (second.stamp, second.person, second.off) == (before + 2, "a", ["nfkc"])
    assert project.state() == second


@pytest.mark.long
def test_what_runs_when_a_server_ends_has_stopped(
    home: StudioHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(manager, "python_command", endless)
    project, jobs = begun(home), JobManager()
    jobs.start(project, "look")
    jobs.close()
    assert waited(jobs, project, "look").state == "stopped"

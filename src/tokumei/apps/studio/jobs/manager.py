"""Starts, follows and cancels the jobs of a studio; their state stands in project files.

    jobs = JobManager(limits)
    jobs.start(project, "look", {})
    jobs.of(project)["look"].state          # running, done, failed, cancelled, stopped
    jobs.close()

One job of a sort per project at a time. A record that says "running" though no process of this
server runs it is of a server that was killed: it says "stopped" from then on.
"""

from __future__ import annotations

import json
import subprocess
import threading
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Literal

from tokumei.apps.http.errors import ServiceUnavailable
from tokumei.apps.studio.store.home import StudioHome
from tokumei.apps.studio.store.project import Project
from tokumei.apps.studio.store.project_state import utc_now
from tokumei.apps.studio.store.records import (
    ErrorRecord,
    JobArguments,
    SentenceTexts,
    WorkerMessage,
)
from tokumei.core.json_types import as_json_text
from tokumei.core.language import Language
from tokumei.core.messages import Message
from tokumei.core.portable_system_calls import (
    kill_process_group,
    total_memory_megabytes,
    was_ended_by_signal,
)
from tokumei.core.python_processes import child_environment, python_command
from tokumei.files.atomic_write import write_all
from tokumei.files.writing import text_output

WORKER_MODULE = "tokumei.apps.studio.jobs.worker"
JobState = Literal["running", "done", "failed", "cancelled", "stopped"]
MAX_RUNNING_JOBS = 4
_TIME_EXCEEDED = Message("this took longer than the time allowed")
_KILLED_BY_SYSTEM = Message("the system ended this; most likely there was not enough memory")


@dataclass(frozen=True)
class JobLimits:
    """The limits of one job."""

    megabytes: int = 0
    cpu_seconds: int = 4 * 3600
    file_megabytes: int = 16 << 10

    def as_json(self) -> dict[str, int]:
        """The limits for the child process; by default all memory of this machine."""
        return {**asdict(self), "megabytes": self.megabytes or total_memory_megabytes()}


@dataclass(frozen=True)
class Job:
    """One job: how far it is, or how it ended."""

    what: str
    state: JobState
    began: str
    args: JobArguments = field(default_factory=JobArguments)
    share: float | None = None
    words: SentenceTexts | None = None
    ended: str = ""
    error: ErrorRecord | None = None

    @property
    def running(self) -> bool:
        """Whether it still runs."""
        return self.state == "running"

    @property
    def failed(self) -> bool:
        """Whether it ended without what it was for."""
        return self.state == "failed"

    @property
    def progress(self) -> Message | None:
        """The work that is being done, as far as it was told."""
        return None if self.words is None else Message.of_texts(self.words)

    @property
    def reason(self) -> Message:
        """Why it failed."""
        if self.error is None:
            return Message.verbatim("")
        return Message.of_texts(self.error["message"])

    @property
    def faults(self) -> list[Message]:
        """The problems, one by one."""
        return [] if self.error is None else [*map(Message.of_texts, self.error["faults"])]


class JobManager:
    """The jobs of all projects."""

    def __init__(self, limits: JobLimits | None = None) -> None:
        self._limits = limits or JobLimits()
        self._lock = threading.RLock()
        self._running: dict[tuple[str, str], subprocess.Popen[bytes]] = {}
        self._jobs_by_project: dict[str, dict[str, Job]] = {}
        self._versions: dict[str, int] = {}
        self._cancelled: set[int] = set()
        self._closing = False

    def open(self, home: StudioHome) -> None:
        """Read what was; jobs of a server that was killed have stopped."""
        for project, _ in home.list_recent_projects(10**6):
            for job in self.of(project).values():
                if job.running:
                    self._save_job(project, replace(job, state="stopped", ended=utc_now()))

    def of(self, project: Project) -> dict[str, Job]:
        """The last job of every sort."""
        with self._lock:
            if project.id not in self._jobs_by_project:
                saved_jobs = (_read_job(path) for path in (project.folder / "jobs").glob("*.json"))
                self._jobs_by_project[project.id] = {
                    job.what: job for job in saved_jobs if job is not None
                }
            return dict(self._jobs_by_project[project.id])

    def version(self, project: Project) -> int:
        """A number that changes whenever there is something new to see."""
        return self._versions.get(project.id, 0)

    def start(
        self,
        project: Project,
        job_name: str,
        args: JobArguments | None = None,
        *,
        lang: Language = "en",
    ) -> Job:
        """Begin a job; one of the same sort that still runs is cancelled first."""
        self.cancel(project, job_name)
        with self._lock:
            if len(self._running) >= MAX_RUNNING_JOBS:
                raise ServiceUnavailable(
                    "other projects are being worked on; try again in a moment"
                )
            job = Job(job_name, "running", utc_now(), args or {})
            process = _spawn_worker()
            self._running[project.id, job_name] = process
            self._save_job(project, job)
        job_request = {
            "folder": str(project.folder),
            "what": job_name,
            "args": job.args,
            "limits": self._limits.as_json(),
            "lang": lang,
        }
        threading.Thread(
            target=self._follow_worker, args=(project, job, process, job_request)
        ).start()
        return job

    def cancel(self, project: Project, job_name: str) -> None:
        """End a job if it runs, and wait until it is gone."""
        with self._lock:
            process = self._running.get((project.id, job_name))
            if process is None:
                return
            self._cancelled.add(process.pid)
        _kill_worker(process)
        process.wait()
        with self._lock:
            self._running.pop((project.id, job_name), None)
            job = self.of(project)[job_name]
            self._save_job(project, replace(job, state="cancelled", ended=utc_now()))

    def close(self) -> None:
        """End everything; what runs is recorded as stopped."""
        with self._lock:
            self._closing = True
            running = dict(self._running)
        for process in running.values():
            _kill_worker(process)
            process.wait()

    def _follow_worker(
        self,
        project: Project,
        job: Job,
        process: subprocess.Popen[bytes],
        job_request: dict[str, object],
    ) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        with suppress(BrokenPipeError):
            process.stdin.write(json.dumps(job_request).encode() + b"\n")
            process.stdin.flush()
        for line in process.stdout:
            if process.pid not in self._cancelled:
                job = self._apply_message(project, job, json.loads(line))
        code = process.wait()
        for stream in (process.stdin, process.stdout):
            with suppress(OSError):
                stream.close()
        with self._lock:
            if process.pid in self._cancelled:  # whoever did it says so
                self._cancelled.discard(process.pid)
                return
            self._running.pop((project.id, job.what), None)
            stopped = replace(job, state="stopped", ended=utc_now())
            self._save_job(project, stopped if self._closing and code else _finish_job(job, code))

    def _apply_message(self, project: Project, job: Job, message: WorkerMessage) -> Job:
        if "share" in message:
            job = replace(job, share=message["share"], words=message["words"])
        if "error" in message:
            job = replace(job, error=message["error"])
        with self._lock:
            self._jobs_by_project[project.id][job.what] = job
            self._increment_version(project)
        return job

    def _save_job(self, project: Project, job: Job) -> None:
        folder = project.folder / "jobs"
        folder.mkdir(mode=0o700, exist_ok=True)
        write_all([text_output(as_json_text(asdict(job)), folder / f"{job.what}.json")])
        self._jobs_by_project.setdefault(project.id, self.of(project))[job.what] = job
        self._increment_version(project)

    def _increment_version(self, project: Project) -> None:
        self._versions[project.id] = self._versions.get(project.id, 0) + 1


def _spawn_worker() -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        python_command(WORKER_MODULE),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=child_environment(),
        start_new_session=True,
    )


def _kill_worker(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError):
        kill_process_group(process.pid)


def _finish_job(job: Job, code: int) -> Job:
    if code == 0:
        return replace(job, state="done", ended=utc_now(), share=1.0)
    reason = _TIME_EXCEEDED if was_ended_by_signal(code, "SIGXCPU") else _KILLED_BY_SYSTEM
    error = job.error or {"message": reason.texts(), "faults": []}
    return replace(job, state="failed", ended=utc_now(), error=error)


def _read_job(path: Path) -> Job | None:
    try:
        return Job(**json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None  # not of this version: as if it had never been

"""All jobs of a studio: started, followed, cancelled; their state in files of the projects.

    jobs = Jobs(limits)
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
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal

from tokumei.core.platform_support import ended_by, kill_group, machine_megabytes
from tokumei.core.processes import python_command, python_environment
from tokumei.core.text import Language, Text, as_json_text
from tokumei.files.atomic import write_all
from tokumei.files.writing import text_output
from tokumei.http.refusals import Busy
from tokumei.studio.store.home import Home
from tokumei.studio.store.project import Project
from tokumei.studio.store.state import now

CHILD = "tokumei.studio.jobs.child"
State = Literal["running", "done", "failed", "cancelled", "stopped"]
MOST_AT_ONCE = 4
_TOO_LONG = Text("the time allowed for this is over", "許された時間を使い切りました")
_KILLED = Text(
    "the system ended this; most likely there was not enough memory",
    "システムにより終了しました。メモリ不足の可能性があります",
)


@dataclass(frozen=True)
class JobLimits:
    """What one job may use."""

    megabytes: int = 0
    cpu_seconds: int = 4 * 3600
    file_megabytes: int = 16 << 10

    def as_json(self) -> dict[str, int]:
        """For the child; memory of this machine unless it was said."""
        return {**asdict(self), "megabytes": self.megabytes or machine_megabytes()}


@dataclass(frozen=True)
class Job:
    """One job: how far it is, or how it ended."""

    what: str
    state: State
    began: str
    args: dict[str, Any] = field(default_factory=dict)
    share: float | None = None
    words: tuple[str, str] = ("", "")
    ended: str = ""
    error: dict[str, Any] | None = None

    @property
    def running(self) -> bool:
        """Whether it still runs."""
        return self.state == "running"

    @property
    def told(self) -> Text:
        """What it is doing."""
        return Text(*self.words)

    @property
    def reason(self) -> Text:
        """Why it failed."""
        error = self.error or {}
        return Text(error.get("message_en", ""), error.get("message_ja", ""))

    @property
    def faults(self) -> list[Text]:
        """What was wrong, one by one."""
        found = (self.error or {}).get("faults", [])
        return [Text(one["message_en"], one["message_ja"]) for one in found]


class Jobs:
    """The jobs of all projects."""

    def __init__(self, limits: JobLimits | None = None) -> None:
        self._limits = limits or JobLimits()
        self._lock = threading.RLock()
        self._running: dict[tuple[str, str], subprocess.Popen[bytes]] = {}
        self._known: dict[str, dict[str, Job]] = {}
        self._versions: dict[str, int] = {}
        self._cancelled: set[int] = set()
        self._closing = False

    def open(self, home: Home) -> None:
        """Read what was; jobs of a server that was killed have stopped."""
        for project, _ in home.recent(10**6):
            for job in self.of(project).values():
                if job.running:
                    self._keep(project, replace(job, state="stopped", ended=now()))

    def of(self, project: Project) -> dict[str, Job]:
        """The last job of every sort."""
        with self._lock:
            if project.id not in self._known:
                found = (_read(path) for path in (project.folder / "jobs").glob("*.json"))
                self._known[project.id] = {job.what: job for job in found if job is not None}
            return dict(self._known[project.id])

    def version(self, project: Project) -> int:
        """A number that changes whenever there is something new to see."""
        return self._versions.get(project.id, 0)

    def start(
        self,
        project: Project,
        what: str,
        args: Mapping[str, Any] | None = None,
        *,
        lang: Language = "en",
    ) -> Job:
        """Begin a job; one of the same sort that still runs is cancelled first."""
        self.cancel(project, what)
        with self._lock:
            if len(self._running) >= MOST_AT_ONCE:
                raise Busy(
                    "other projects are being worked on; try again in a moment",
                    "ほかのプロジェクトを処理中です。少し待ってからもう一度お試しください",
                )
            job = Job(what, "running", now(), dict(args or {}))
            process = _spawn()
            self._running[project.id, what] = process
            self._keep(project, job)
        asked = {
            "folder": str(project.folder),
            "what": what,
            "args": job.args,
            "limits": self._limits.as_json(),
            "lang": lang,
        }
        threading.Thread(target=self._follow, args=(project, job, process, asked)).start()
        return job

    def cancel(self, project: Project, what: str) -> None:
        """End a job if it runs, and wait until it is gone."""
        with self._lock:
            process = self._running.get((project.id, what))
            if process is None:
                return
            self._cancelled.add(process.pid)
        _kill(process)
        process.wait()
        with self._lock:
            self._running.pop((project.id, what), None)
            job = self.of(project)[what]
            self._keep(project, replace(job, state="cancelled", ended=now()))

    def close(self) -> None:
        """End everything; what runs is recorded as stopped."""
        with self._lock:
            self._closing = True
            left = dict(self._running)
        for process in left.values():
            _kill(process)
            process.wait()

    def _follow(
        self, project: Project, job: Job, process: subprocess.Popen[bytes], asked: dict[str, Any]
    ) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        with suppress(BrokenPipeError):
            process.stdin.write(json.dumps(asked).encode() + b"\n")
            process.stdin.flush()
        for line in process.stdout:
            if process.pid not in self._cancelled:
                job = self._heard(project, job, json.loads(line))
        code = process.wait()
        for stream in (process.stdin, process.stdout):
            with suppress(OSError):
                stream.close()
        with self._lock:
            if process.pid in self._cancelled:  # whoever did it says so
                self._cancelled.discard(process.pid)
                return
            self._running.pop((project.id, job.what), None)
            stopped = replace(job, state="stopped", ended=now())
            self._keep(project, stopped if self._closing and code else _ended(job, code))

    def _heard(self, project: Project, job: Job, line: dict[str, Any]) -> Job:
        if "share" in line:
            job = replace(job, share=line["share"], words=tuple(line["words"]))
        if "error" in line:
            job = replace(job, error=line["error"])
        with self._lock:
            self._known[project.id][job.what] = job
            self._bump(project)
        return job

    def _keep(self, project: Project, job: Job) -> None:
        folder = project.folder / "jobs"
        folder.mkdir(mode=0o700, exist_ok=True)
        write_all([text_output(as_json_text(asdict(job)), folder / f"{job.what}.json")])
        self._known.setdefault(project.id, self.of(project))[job.what] = job
        self._bump(project)

    def _bump(self, project: Project) -> None:
        self._versions[project.id] = self._versions.get(project.id, 0) + 1


def _spawn() -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        python_command(CHILD),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=python_environment(),
        start_new_session=True,
    )


def _kill(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError):
        kill_group(process.pid)


def _ended(job: Job, code: int) -> Job:
    if code == 0:
        return replace(job, state="done", ended=now(), share=1.0)
    why = _TOO_LONG if ended_by(code, "SIGXCPU") else _KILLED
    error = job.error or {"message_en": why.en, "message_ja": why.ja, "faults": []}
    return replace(job, state="failed", ended=now(), error=error)


def _read(path: Any) -> Job | None:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        return Job(**{**data, "words": tuple(data["words"])})
    except (OSError, ValueError, TypeError, KeyError):
        return None  # not of this version: as if it had never been

"""Entry point of a process that runs one job, described by a line on stdin.

    python -m tokumei.apps.studio.jobs.worker

It says how far it is by lines of JSON on stdout, and ends when its stdin does: whoever asked is
gone then. Results are files of the project, written whole, so that a kill leaves none half-made.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
import traceback
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from tokumei.apps.studio.store.project import Project
from tokumei.apps.studio.store.records import ErrorRecord
from tokumei.core.errors import TokumeiError, Violation
from tokumei.core.fields import FrontEnd, using_front_end
from tokumei.core.language import use_language
from tokumei.core.lazy_imports import load_object
from tokumei.core.messages import Message
from tokumei.core.portable_system_calls import kill_own_process_group
from tokumei.core.process_limits import is_memory_short, limit_process
from tokumei.core.progress import AdvanceProgress, set_progress_listener

JOB_HANDLERS = {
    "look": "tokumei.apps.studio.job_handlers.profile_source:profile_source",
    "reading": "tokumei.apps.studio.job_handlers.read_preview:preview_reading",
    "advise": "tokumei.apps.studio.job_handlers.advise:propose_candidates",
    "assess": "tokumei.apps.studio.job_handlers.assess:assess_candidate",
    "release": "tokumei.apps.studio.job_handlers.release:write_release",
    "ledger": "tokumei.apps.studio.job_handlers.assess:check_candidate",
    "audit": "tokumei.apps.studio.job_handlers.assess:audit_candidate",
    "preview": "tokumei.apps.studio.job_handlers.advise:preview_candidates",
    "tree": "tokumei.apps.studio.job_handlers.hierarchy:propose_column_hierarchy",
    "upload": "tokumei.apps.studio.job_handlers.contest_upload:make_upload",
}
"""Where each job's work stands."""
_PROGRESS_SECONDS = 0.1
OUT_OF_MEMORY = Message(
    "there is not enough memory for this; close other programs, or take a smaller file"
)
DEFECT_MESSAGE = Message("a defect of Tokumei stopped this ({where}); your files were not changed")


class ProgressWriter:
    """Writes the progress of a job as lines of JSON."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._lock = threading.Lock()
        self._depth = 0
        self._last_written = 0.0

    def tell(self, **message: object) -> None:
        """Write one line."""
        with self._lock:
            self._stream.write(json.dumps(message, ensure_ascii=False).encode() + b"\n")
            self._stream.flush()

    def progress(self, share: float | None, words: Message) -> None:
        """Write the progress, at most ten times a second."""
        now = time.monotonic()
        if now - self._last_written >= _PROGRESS_SECONDS:
            self._last_written = now
            self.tell(share=share, words=words.texts())

    def fresh(self) -> None:
        """Report that a new result can be shown."""
        self.tell(fresh=True)

    @contextmanager
    def __call__(self, what: Message, total: float | None) -> Iterator[AdvanceProgress]:
        """Follow one piece of work for `core.progress`; only the outermost is reported."""
        self._depth += 1
        outermost, done = self._depth == 1, 0.0

        def advance(more: float) -> None:
            nonlocal done
            done += more
            if outermost:
                self.progress(min(1.0, done / total) if total else None, what)

        if outermost:
            self.progress(0.0 if total else None, what)
        try:
            yield advance
        finally:
            self._depth -= 1


def main() -> int:
    """Run the job that stdin describes; return its exit code."""
    job_request = json.loads(sys.stdin.buffer.readline())
    out = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what libraries print is no answer
    _exit_when_stdin_closes()
    writer = ProgressWriter(out)
    handler = load_object(JOB_HANDLERS[job_request["what"]])
    limit_process(**job_request["limits"], data_only=True)
    os.umask(0o077)
    use_language(job_request["lang"])
    set_progress_listener(writer)
    try:
        with using_front_end(FrontEnd.FORM):
            handler(Project(Path(job_request["folder"])), job_request["args"], writer)
    except TokumeiError as error:
        writer.tell(error=_error_record(error.message, error.faults))
        return 2
    except Exception as error:  # noqa: BLE001 - its message may hold a cell
        memory_short = isinstance(error, MemoryError) or is_memory_short()
        message = OUT_OF_MEMORY if memory_short else _describe_defect(error)
        writer.tell(error=_error_record(message))
        return 2 if memory_short else 3
    writer.tell(done=True)
    return 0


def _describe_defect(error: Exception) -> Message:
    frames = traceback.extract_tb(error.__traceback__)
    where = ", ".join([type(error).__name__, *(Path(frame.filename).name for frame in frames[-1:])])
    if os.environ.get("TOKUMEI_TRACEBACK"):
        traceback.print_exc()
    return DEFECT_MESSAGE.fill(where=where)


def _error_record(message: Message, faults: Iterable[Violation] = ()) -> ErrorRecord:
    return {"message": message.texts(), "faults": [fault.message.texts() for fault in faults]}


def _exit_when_stdin_closes() -> None:
    """Kill this process and all it started when nobody is there any more."""

    def wait() -> None:
        sys.stdin.buffer.read(1)
        kill_own_process_group()

    threading.Thread(target=wait, daemon=True).start()


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    os._exit(code)  # the thread that waits for stdin must not keep it

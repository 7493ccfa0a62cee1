"""A process that does one job: `python -m tokumei.studio.jobs.child`, asked by a line on stdin.

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
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from tokumei.core.errors import TokumeiError
from tokumei.core.fields import FrontEnd, using_front_end
from tokumei.core.lazy import load
from tokumei.core.limits import limit_process, memory_is_short
from tokumei.core.platform_support import kill_own_group
from tokumei.core.progress import Advance, listen
from tokumei.core.text import Text, use_language
from tokumei.studio.store.project import Project

TASKS = {
    "look": "tokumei.studio.tasks.look:look_at_source",
    "advise": "tokumei.studio.tasks.advise:propose",
    "attack": "tokumei.studio.tasks.attack:attack_candidate",
    "release": "tokumei.studio.tasks.release:publish",
    "ledger": "tokumei.studio.tasks.attack:check_candidate",
    "audit": "tokumei.studio.tasks.attack:audit_candidate",
    "preview": "tokumei.studio.tasks.advise:show_candidate",
    "tree": "tokumei.studio.tasks.tree:propose_tree",
    "upload": "tokumei.studio.tasks.contest:make_upload",
}
"""Where each job's work stands."""
_TELL_SECONDS = 0.1
NO_MEMORY = Text(
    "there is not enough memory for this; close other programs, or take a smaller file",
    "メモリが足りません。ほかのプログラムを閉じるか、小さいファイルでお試しください",
)
DEFECT = Text(
    "a defect of Tokumei stopped this ({where}); your files are as they were",
    "Tokumei の不具合により中断しました ({where})。ファイルは元のままです",
)


class Teller:
    """Says how far the work is, and what there is to see."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._lock = threading.Lock()
        self._depth = 0
        self._told = 0.0

    def tell(self, **what: Any) -> None:
        """One line."""
        with self._lock:
            self._stream.write(json.dumps(what, ensure_ascii=False).encode() + b"\n")
            self._stream.flush()

    def progress(self, share: float | None, words: Text) -> None:
        """How far, now and then."""
        now = time.monotonic()
        if now - self._told >= _TELL_SECONDS:
            self._told = now
            self.tell(share=share, words=[words.en, words.ja])

    def fresh(self) -> None:
        """There is a new result to be seen."""
        self.tell(fresh=True)

    @contextmanager
    def __call__(self, what: Text, total: float | None) -> Iterator[Advance]:
        """What `core.progress` asks of a listener; only the outermost work is told."""
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
    """Do the job that stdin asks for; the exit code says how it ended."""
    asked = json.loads(sys.stdin.buffer.readline())
    out = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what libraries print is no answer
    _end_with_stdin()
    teller = Teller(out)
    work = load(TASKS[asked["what"]])
    limit_process(**asked["limits"], data_only=True)
    os.umask(0o077)
    use_language(asked["lang"])
    listen(teller)
    try:
        with using_front_end(FrontEnd.FORM):
            work(Project(Path(asked["folder"])), asked["args"], teller)
    except TokumeiError as error:
        teller.tell(error=error.as_json())
        return 2
    except Exception as error:  # noqa: BLE001 - its message may hold a cell
        short = isinstance(error, MemoryError) or memory_is_short()
        teller.tell(error=_words(NO_MEMORY) if short else _defect(error))
        return 2 if short else 3
    teller.tell(done=True)
    return 0


def _defect(error: Exception) -> dict[str, Any]:
    frames = traceback.extract_tb(error.__traceback__)
    where = ", ".join([type(error).__name__, *(Path(one.filename).name for one in frames[-1:])])
    if os.environ.get("TOKUMEI_TRACEBACK"):
        traceback.print_exc()
    return _words(Text(*(words.format(where=where) for words in DEFECT)))


def _words(text: Text) -> dict[str, Any]:
    return {"message_en": text.en, "message_ja": text.ja, "faults": []}


def _end_with_stdin() -> None:
    """Kill this process and all it started when nobody is there any more."""

    def wait() -> None:
        sys.stdin.buffer.read(1)
        kill_own_group()

    threading.Thread(target=wait, daemon=True).start()


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    os._exit(code)  # the thread that waits for stdin must not keep it

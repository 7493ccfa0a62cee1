"""Reports progress to a listener such as the command line.

    for block in track_progress(blocks, Message("attacking")): ...
    with progress_bar(Message("cutting"), total=rows) as advance: advance(10)

Outside the command line nothing is shown. What a person should know though the work goes on is a
notice. How many threads work is said here, too.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sized
from contextlib import AbstractContextManager, nullcontext
from contextvars import ContextVar
from typing import TypeVar

from tokumei.core.errors import UsageError
from tokumei.core.messages import Message

T = TypeVar("T")
AdvanceProgress = Callable[[float], None]
ProgressListener = Callable[[Message, float | None], AbstractContextManager[AdvanceProgress]]

_progress_listener: ContextVar[ProgressListener | None] = ContextVar(
    "tokumei_progress", default=None
)
_notice_listener: ContextVar[Callable[[Message], None] | None] = ContextVar(
    "tokumei_notices", default=None
)


def set_progress_listener(listener: ProgressListener | None) -> None:
    """Show progress through `listener` for the rest of this context."""
    _progress_listener.set(listener)


def set_notice_listener(hearer: Callable[[Message], None] | None) -> None:
    """Give notices to `hearer` for the rest of this context."""
    _notice_listener.set(hearer)


def send_notice(what: Message) -> None:
    """Send a notice to the user; the work continues."""
    hearer = _notice_listener.get()
    if hearer is not None:
        hearer(what)


def progress_bar(
    what: Message, total: float | None = None
) -> AbstractContextManager[AdvanceProgress]:
    """A piece of work of known or unknown size; call what it gives to say how much is done."""
    listener = _progress_listener.get()
    return nullcontext(_ignore_progress) if listener is None else listener(what, total)


def track_progress(items: Iterable[T], what: Message) -> Iterator[T]:
    """Yield the items, saying after each how far the work is."""
    total = len(items) if isinstance(items, Sized) else None
    with progress_bar(what, total) as advance:
        for item in items:
            yield item
            advance(1)


def _ignore_progress(done: float) -> None:
    """Nobody listens."""


def thread_count() -> int:
    """At least one. The number never changes a result, only its time."""
    setting = os.environ.get("TOKUMEI_THREADS", "")
    if not setting:
        get_affinity = getattr(os, "sched_getaffinity", None)
        return len(get_affinity(0)) if get_affinity else os.cpu_count() or 1
    if not setting.isdecimal() or int(setting) < 1:
        raise UsageError(
            "TOKUMEI_THREADS must be a whole number from 1, not '{setting}'", setting=setting
        )
    return int(setting)

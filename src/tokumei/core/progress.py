"""Progress without a dependency on any screen: work reports, the command line listens.

    for block in track(blocks, Text("attacking", "攻撃中")): ...
    with meter(Text("cutting", "分割中"), total=rows) as advance: advance(10)

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
from tokumei.core.text import Text

T = TypeVar("T")
Advance = Callable[[float], None]
Listener = Callable[[Text, float | None], AbstractContextManager[Advance]]

_listener: ContextVar[Listener | None] = ContextVar("tokumei_progress", default=None)
_hearer: ContextVar[Callable[[Text], None] | None] = ContextVar("tokumei_notices", default=None)


def listen(listener: Listener | None) -> None:
    """Show progress through `listener` for the rest of this context."""
    _listener.set(listener)


def hear(hearer: Callable[[Text], None] | None) -> None:
    """Give notices to `hearer` for the rest of this context."""
    _hearer.set(hearer)


def notice(what: Text) -> None:
    """Say something that a person should know though the work goes on."""
    hearer = _hearer.get()
    if hearer is not None:
        hearer(what)


def meter(what: Text, total: float | None = None) -> AbstractContextManager[Advance]:
    """A piece of work of known or unknown size; call what it gives to say how much is done."""
    listener = _listener.get()
    return nullcontext(_nothing) if listener is None else listener(what, total)


def track(items: Iterable[T], what: Text) -> Iterator[T]:
    """Yield the items, saying after each how far the work is."""
    total = len(items) if isinstance(items, Sized) else None
    with meter(what, total) as advance:
        for item in items:
            yield item
            advance(1)


def _nothing(done: float) -> None:
    """Nobody listens."""


def threads() -> int:
    """At least one. The number never changes a result, only its time."""
    given = os.environ.get("TOKUMEI_THREADS", "")
    if not given:
        ours = getattr(os, "sched_getaffinity", None)
        return len(ours(0)) if ours else os.cpu_count() or 1
    if not given.isdecimal() or int(given) < 1:
        raise UsageError(
            f"TOKUMEI_THREADS must be a whole number from 1, not '{given}'",
            f"TOKUMEI_THREADS は 1 以上の整数にしてください ('{given}')",
        )
    return int(given)

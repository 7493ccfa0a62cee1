"""Long work: a few at a time, a bounded line behind them, and none that nobody waits for.

    answer = await pool.run(lambda cancelled: session.ask(…, cancelled=cancelled), receive)
    await in_upload_thread(submit, place, viewer, slug, received)

Uploads wait for their check in threads of their own, so that pages always find one free.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, ParamSpec, TypeVar

from anyio import CapacityLimiter, to_thread
from anyio.lowlevel import RunVar
from starlette.types import Receive

from tokumei.core.text import Text
from tokumei.http.refusals import Busy

T = TypeVar("T")
Cancelled = Callable[[], bool]
UPLOADS_AT_ONCE = 100
Given = ParamSpec("Given")
Answer = TypeVar("Answer")
_LIMITER: RunVar[CapacityLimiter] = RunVar("upload threads")


class ClientLeft(Exception):
    """The client closed the connection; there is nobody to answer."""


class WorkPool:
    """Threads for long work: so many at once, so many more in line; any further is sent away."""

    def __init__(self, at_once: int, waiting: int, *, busy: Text) -> None:
        self._threads = ThreadPoolExecutor(at_once, thread_name_prefix="work")
        self._most, self._busy = at_once + waiting, busy
        self._flags: set[threading.Event] = set()

    @property
    def under_way(self) -> int:
        """How much work runs or waits."""
        return len(self._flags)

    async def run(self, work: Callable[[Cancelled], T], receive: Receive) -> T:
        """What `work` returns; it is told to stop when the client leaves."""
        if len(self._flags) >= self._most:
            raise Busy(self._busy, retry_after=1)
        flag = threading.Event()
        self._flags.add(flag)
        future = self._threads.submit(work, flag.is_set)
        # Work counts until its thread is free, not until its client leaves.
        loop = asyncio.get_running_loop()
        future.add_done_callback(lambda _: _soon(loop, lambda: self._flags.discard(flag)))
        done: asyncio.Future[T] = asyncio.wrap_future(future)
        leaving: asyncio.Future[None] = asyncio.ensure_future(_left(receive))
        both: set[asyncio.Future[Any]] = {done, leaving}
        try:
            await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
            if not done.done():
                raise ClientLeft
            return done.result()
        finally:
            flag.set()
            done.cancel()
            leaving.cancel()

    def close(self) -> None:
        """Stop all work."""
        for flag in tuple(self._flags):
            flag.set()
        self._threads.shutdown(wait=True, cancel_futures=True)


def _soon(loop: asyncio.AbstractEventLoop, work: Callable[[], None]) -> None:
    if not loop.is_closed():
        loop.call_soon_threadsafe(work)


async def _left(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def in_upload_thread(
    call: Callable[Given, Answer], *given: Given.args, **named: Given.kwargs
) -> Answer:
    """What a call that may take long gives."""
    return await to_thread.run_sync(lambda: call(*given, **named), limiter=_limiter())


def _limiter() -> CapacityLimiter:
    """That of the running event loop."""
    try:
        return _LIMITER.get()
    except LookupError:
        _LIMITER.set(made := CapacityLimiter(UPLOADS_AT_ONCE))
        return made

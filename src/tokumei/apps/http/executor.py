"""Runs long work in a few threads with a bounded queue, and drops abandoned work.

    answer = await pool.run(lambda cancelled: session.ask(…, cancelled=cancelled), receive)
    await run_in_upload_thread(submit, place, viewer, slug, received)

Uploads wait for their check in threads of their own, so that pages always find one free.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from anyio import CapacityLimiter, to_thread
from anyio.lowlevel import RunVar
from starlette.types import Receive

from tokumei.apps.http.errors import ServiceUnavailable
from tokumei.core.messages import Message

T = TypeVar("T")
IsCancelled = Callable[[], bool]
MAX_CONCURRENT_UPLOADS = 100
CallArguments = ParamSpec("CallArguments")
CallResult = TypeVar("CallResult")
_UPLOAD_LIMITER: RunVar[CapacityLimiter] = RunVar("upload threads")


class ClientDisconnected(Exception):
    """The client closed the connection; there is nobody to answer."""


class WorkPool:
    """Threads for long work: so many at once, so many more in line; any further is sent away."""

    def __init__(self, at_once: int, waiting: int, *, busy: Message) -> None:
        self._threads = ThreadPoolExecutor(at_once, thread_name_prefix="work")
        self._max_jobs, self._busy_message = at_once + waiting, busy
        self._cancel_flags: set[threading.Event] = set()

    @property
    def active_job_count(self) -> int:
        """How much work runs or waits."""
        return len(self._cancel_flags)

    async def run(self, work: Callable[[IsCancelled], T], receive: Receive) -> T:
        """Run `work` in a thread and return its result; it is cancelled when the client leaves."""
        if len(self._cancel_flags) >= self._max_jobs:
            raise ServiceUnavailable(self._busy_message, retry_after=1)
        flag = threading.Event()
        self._cancel_flags.add(flag)
        future = self._threads.submit(work, flag.is_set)
        # Work counts until its thread is free, not until its client leaves.
        loop = asyncio.get_running_loop()
        future.add_done_callback(
            lambda _: _call_in_loop(loop, lambda: self._cancel_flags.discard(flag))
        )
        done: asyncio.Future[T] = asyncio.wrap_future(future)
        disconnect: asyncio.Future[None] = asyncio.ensure_future(_wait_for_disconnect(receive))
        try:
            await asyncio.wait((done, disconnect), return_when=asyncio.FIRST_COMPLETED)
            if not done.done():
                raise ClientDisconnected
            return done.result()
        finally:
            flag.set()
            done.cancel()
            disconnect.cancel()

    def close(self) -> None:
        """Stop all work."""
        for flag in tuple(self._cancel_flags):
            flag.set()
        self._threads.shutdown(wait=True, cancel_futures=True)


def _call_in_loop(loop: asyncio.AbstractEventLoop, work: Callable[[], None]) -> None:
    if not loop.is_closed():
        loop.call_soon_threadsafe(work)


async def _wait_for_disconnect(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def run_in_upload_thread(
    call: Callable[CallArguments, CallResult],
    *args: CallArguments.args,
    **kwargs: CallArguments.kwargs,
) -> CallResult:
    """Run a call that may take long in a thread of its own, and return its result."""
    return await to_thread.run_sync(lambda: call(*args, **kwargs), limiter=_upload_limiter())


def _upload_limiter() -> CapacityLimiter:
    """The limiter of the running event loop."""
    try:
        return _UPLOAD_LIMITER.get()
    except LookupError:
        _UPLOAD_LIMITER.set(limiter := CapacityLimiter(MAX_CONCURRENT_UPLOADS))
        return limiter

"""A few searches at a time, a bounded line behind them, and no search that nobody waits for.

answer = await pool.run(lambda cancelled: session.ask(…, cancelled=cancelled), receive)
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from starlette.types import Receive

from tokumei.core.text import Text
from tokumei.price.service.limits import Limits
from tokumei.price.service.refusals import BusyError

T = TypeVar("T")
Cancelled = Callable[[], bool]


class ClientLeft(Exception):
    """The client closed the connection; there is nobody to answer."""


class SearchPool:
    """Threads for searches."""

    def __init__(self, limits: Limits) -> None:
        self._threads = ThreadPoolExecutor(limits.searches, thread_name_prefix="search")
        self._most = limits.searches + limits.waiting
        self._flags: set[threading.Event] = set()

    @property
    def searches(self) -> int:
        """How many searches run or wait."""
        return len(self._flags)

    async def run(self, work: Callable[[Cancelled], T], receive: Receive) -> T:
        """What `work` returns; it is told to stop when the client leaves."""
        if len(self._flags) >= self._most:
            raise BusyError(
                Text(
                    "too many searches are waiting; try again in a moment",
                    "待っている探索が多すぎます。少し待ってからもう一度お試しください",
                ),
                retry_after=1,
            )
        flag = threading.Event()
        self._flags.add(flag)
        future = self._threads.submit(work, flag.is_set)
        # The search counts until its thread is free, not until its client leaves.
        loop = asyncio.get_running_loop()
        future.add_done_callback(lambda _: _soon(loop, lambda: self._flags.discard(flag)))
        search: asyncio.Future[T] = asyncio.wrap_future(future)
        leaving: asyncio.Future[None] = asyncio.ensure_future(_left(receive))
        both: set[asyncio.Future[Any]] = {search, leaving}
        try:
            await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
            if not search.done():
                raise ClientLeft
            return search.result()
        finally:
            flag.set()
            search.cancel()
            leaving.cancel()

    def close(self) -> None:
        """Stop all searches."""
        for flag in tuple(self._flags):
            flag.set()
        self._threads.shutdown(wait=True, cancel_futures=True)


def _soon(loop: asyncio.AbstractEventLoop, work: Callable[[], None]) -> None:
    if not loop.is_closed():
        loop.call_soon_threadsafe(work)


async def _left(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass

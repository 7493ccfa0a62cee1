"""Thread pools for compiled code that stop soon after Ctrl-C.

    with worker_pool(2) as pool:
        pool.submit(search)         # which loops over `interruptible_ranges`

    for begin, end in interruptible_ranges(moves, 4096):
        ...                         # work without Python's lock

Only the main thread hears Ctrl-C, and only between two steps of Python: long work is done in
stretches, and a thread of the pool gives up before its next one when the block has failed.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import CancelledError, ThreadPoolExecutor
from contextlib import contextmanager
from threading import Event, local

_THREAD_STATE = local()


@contextmanager
def worker_pool(threads: int) -> Iterator[ThreadPoolExecutor]:
    """So many threads; if the block fails, what they do or should do is given up."""
    stop = Event()
    with ThreadPoolExecutor(threads, initializer=_set_stop_event, initargs=(stop,)) as pool:
        try:
            yield pool
        except BaseException:
            stop.set()
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def interruptible_ranges(total: int, step: int) -> Iterator[tuple[int, int]]:
    """From where to below where, one stretch after the other."""
    for begin in range(0, total, step):
        if hasattr(_THREAD_STATE, "stop") and _THREAD_STATE.stop.is_set():
            raise CancelledError
        yield begin, min(begin + step, total)


def _set_stop_event(stop: Event) -> None:
    _THREAD_STATE.stop = stop

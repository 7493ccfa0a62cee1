"""Uploads wait for their check in threads of their own, so that pages always find one free.

await in_upload_thread(submit, place, viewer, slug, received)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar

from anyio import CapacityLimiter, to_thread
from anyio.lowlevel import RunVar

UPLOADS_AT_ONCE = 100
Given = ParamSpec("Given")
Answer = TypeVar("Answer")
_LIMITER: RunVar[CapacityLimiter] = RunVar("upload threads")


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

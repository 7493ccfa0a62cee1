"""Threads that inherit the language and the front end of their caller.

    with ContextThreadPool(2) as pool:
        pool.submit(plan_columns, table)

A `ThreadPoolExecutor` alone runs its work in an empty context: an error that is raised there would
not know that it is read on the command line.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class ContextThreadPool(ThreadPoolExecutor):
    """A `ThreadPoolExecutor` whose work runs in a copy of the context in which it was given."""

    def submit(self, work: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Run the work as soon as a thread is free."""
        context = copy_context()

        def run_in_context() -> T:
            return context.run(work, *args, **kwargs)

        return super().submit(run_in_context)

"""Compile a function to machine code that runs without Python's lock.

    @compiled
    def total(numbers: np.ndarray) -> float: ...

Sums keep their order (no reassociation), so the same numbers come out on every machine. Loading the
compiler takes longer than many a command: only the first call does it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, update_wrapper
from typing import Any, TypeVar, cast

Function = TypeVar("Function", bound=Callable[..., Any])
OPTIONS: dict[str, Any] = {"nogil": True, "fastmath": {"nnan", "nsz"}, "error_model": "numpy"}


def compiled(function: Function) -> Function:
    """The compiled function; kept on disk between runs where that is possible."""
    return cast(Function, Compiled(function, OPTIONS))


class Compiled:
    """A function that is compiled when it is first called, from Python or from compiled code."""

    def __init__(self, function: Callable[..., Any], options: dict[str, Any]) -> None:
        update_wrapper(self, function)
        self.function: Any = function
        self._options = options

    def __call__(self, *args: Any) -> Any:
        """Call the machine code."""
        return self.dispatcher(*args)

    @cached_property
    def dispatcher(self) -> Any:
        """Numba's own object."""
        import numba

        try:
            return numba.njit(self.function, cache=True, **self._options)
        except RuntimeError:  # no folder for the cache can be written
            return numba.njit(self.function, **self._options)

    @property
    def _numba_type_(self) -> Any:
        """What compiled code sees of it."""
        return self.dispatcher._numba_type_

"""Compile a function to machine code that runs without Python's lock.

    @compiled
    def total(numbers: np.ndarray) -> float: ...

Sums keep their order (no reassociation), so the same numbers come out on every machine.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba

Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(function: Function) -> Function:
    """The compiled function; kept on disk between runs where that is possible."""
    try:
        return _compile(function, cache=True)
    except RuntimeError:  # no folder for the cache can be written
        return _compile(function, cache=False)


def _compile(function: Function, *, cache: bool) -> Function:
    machine_code = numba.njit(
        function, cache=cache, nogil=True, fastmath={"nnan", "nsz"}, error_model="numpy"
    )
    return cast(Function, machine_code)

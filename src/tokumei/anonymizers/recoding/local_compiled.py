"""Compile the inner functions of local recoding: called only from compiled code.

    @inner
    def move(state: State, t: int, slot: int) -> None: ...

Without an entrance from Python (which would unpack the whole state) they compile much faster.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
import numpy as np

Value = TypeVar("Value", bool, int)
Function = TypeVar("Function", bound=Callable[..., Any])


OPTIONS: dict[str, Any] = {
    "nogil": True,
    "error_model": "numpy",
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
}


def constant(value: Value) -> Value:
    """A value of a machine type: for each Python value, a function would be compiled again."""
    return cast(Value, np.asarray(value)[()])


def inner(function: Function) -> Function:
    """The compiled function; kept on disk between runs where that is possible."""
    try:
        return cast(Function, numba.njit(function, cache=True, **OPTIONS))
    except RuntimeError:  # no folder for the cache can be written
        return cast(Function, numba.njit(function, **OPTIONS))

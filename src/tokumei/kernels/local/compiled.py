"""Compile the inner functions of local recoding: called only from compiled code.

    @inner
    def move(state: State, t: int, slot: int) -> None: ...

Without an entrance from Python (which would unpack the whole state) they compile much faster.
"""

from __future__ import annotations

from typing import Any, TypeVar, cast

import numpy as np

from tokumei.kernels.compiled import Compiled, Function

Value = TypeVar("Value", bool, int)


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
    return cast(Function, Compiled(function, OPTIONS))

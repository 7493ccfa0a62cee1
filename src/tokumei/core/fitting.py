"""Values that are of a type without any doubt, so that nobody need describe or convert them.

fitted(5, int)                              # 5
fitted(["age"], tuple[str, ...])            # ("age",)
fitted("5", int)                            # TypeError: it could be made a number, but not here
"""

from __future__ import annotations

import types
from contextlib import suppress
from typing import Any, Literal, Union, get_args, get_origin

_PLAIN = (bool, int, float, str, type(None))


def fitted(value: Any, hint: Any) -> Any:
    """A flag, number, text, nothing, or a list of them as a tuple, if it is of exactly this type.

    TypeError for anything else.
    """
    origin, parts = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        for part in parts:
            with suppress(TypeError):
                return fitted(value, part)
    elif origin is Literal:
        if any(type(value) is type(one) and value == one for one in parts):
            return value
    elif origin is tuple and parts[1:] == (...,) and type(value) in (list, tuple):
        return tuple(fitted(one, parts[0]) for one in value)
    elif type(value) in _PLAIN and type(value) is hint:
        return value
    raise TypeError(f"not plainly of type {hint}")

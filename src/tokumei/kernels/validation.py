"""Validates types, shapes and index ranges of arrays before compiled code uses them.

    class Boxes(NamedTuple):
        node: Annotated[np.ndarray, "int64[boxes, columns] -1..nodes"]
        cost: Annotated[np.ndarray, "float64[nodes]"]

    sizes = require_arrays(Boxes(node, cost))          # {"boxes": …, "columns": …, "nodes": …}
    require_array("box_of", box_of, "int64[rows] 0..boxes", sizes)

A specification is the type, the size along each axis and, for numbers that are places elsewhere,
from where up to below where they lie. One name stands for one size; `nodes+1` is one more.
"""

from __future__ import annotations

import re
from collections.abc import Hashable
from functools import cache
from typing import Annotated, NamedTuple, cast, get_args, get_origin, get_type_hints

import numpy as np

_SPEC_PATTERN = re.compile(r"(?P<kind>\w+)\[(?P<axes>.*)\](?: (?P<low>-?\d+)\.\.(?P<high>.*))?")


class _ArraySpec(NamedTuple):
    """A specification taken apart."""

    kind: np.dtype
    axes: list[str]
    low: int | None
    high: str


def require_arrays(record: object, sizes: dict[str, int] | None = None) -> dict[str, int]:
    """Check all arrays of a named tuple, or raise ValueError; the sizes of the names."""
    sizes = {} if sizes is None else sizes
    specs = _array_specs(cast(Hashable, type(record)))
    for name, spec in specs.items():
        _require_shape(name, getattr(record, name), spec, sizes)
    for name, spec in specs.items():
        _require_range(name, getattr(record, name), spec, sizes)
    return sizes


def require_array(name: str, array: np.ndarray, specification: str, sizes: dict[str, int]) -> None:
    """Check one array; names that are new get their size from it."""
    spec = _parse_spec(specification)
    _require_shape(name, array, spec, sizes)
    _require_range(name, array, spec, sizes)


def require_that(holds: object, what: str) -> None:
    """Raise ValueError unless it holds."""
    if not holds:
        raise ValueError(what)


@cache
def _array_specs(record_type: type[object]) -> dict[str, _ArraySpec]:
    hints = get_type_hints(record_type, include_extras=True)
    return {
        name: _parse_spec(get_args(hint)[1])
        for name, hint in hints.items()
        if get_origin(hint) is Annotated
    }


@cache
def _parse_spec(specification: str) -> _ArraySpec:
    match = _SPEC_PATTERN.fullmatch(specification)
    if match is None:
        raise TypeError(f"'{specification}' is no specification of an array")
    low = None if match["low"] is None else int(match["low"])
    axes = [axis.strip() for axis in match["axes"].split(",")]
    return _ArraySpec(np.dtype(match["kind"]), axes, low, match["high"] or "")


def _require_shape(name: str, array: object, spec: _ArraySpec, sizes: dict[str, int]) -> None:
    """Type, order in memory, and the size of every axis."""
    if not isinstance(array, np.ndarray) or array.dtype != spec.kind:
        raise ValueError(f"{name}: needs an array of {spec.kind}")
    if not array.flags.c_contiguous or array.ndim != len(spec.axes):
        raise ValueError(f"{name}: needs {len(spec.axes)} axes in C order")
    for axis, size in zip(spec.axes, array.shape, strict=True):
        base, _, more = axis.partition("+")
        # A name that is new gets its size from here.
        least = int(base) if base.isdecimal() else sizes.setdefault(base, size - int(more or 0))
        expected = least + int(more or 0)
        if size != expected:
            raise ValueError(f"{name}: {base} is {expected}, not {size}")


def _require_range(name: str, array: np.ndarray, spec: _ArraySpec, sizes: dict[str, int]) -> None:
    """Whether numbers that are places elsewhere lie where they may."""
    if spec.low is None or array.size == 0:
        return
    least, most = int(array.min()), int(array.max())
    if least < spec.low:
        raise ValueError(f"{name}: {least} is below {spec.low}")
    if not spec.high:
        return
    base, _, more = spec.high.partition("+")
    limit = int(base) if base.isdecimal() else sizes.setdefault(base, -1)
    if most >= limit + int(more or 0):
        raise ValueError(f"{name}: {most} is not below {spec.high}")

"""Compiled functions kept as plain machine code: later runs call them without loading a compiler.

    @stored
    def fill(numbers: np.ndarray, value: float) -> None: ...

Loading the compiler takes longer than anonymizing most tables. Such a function takes numbers, C
arrays and named tuples of both, returns nothing, makes no arrays and raises nothing. The compiled
functions and constants it uses must be of its own folder: any change there compiles it anew.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import secrets
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import Any, cast

import numpy as np

from tokumei.kernels.compiled import OPTIONS, Compiled, Function

_DIGEST = hashlib.sha256().digest_size


def stored(function: Function) -> Function:
    """The compiled function; its machine code is kept on disk where that is possible."""
    return cast(Function, Stored(function, OPTIONS))


class Stored(Compiled):
    """A function that is compiled only if no earlier run has done so."""

    def __init__(self, function: Callable[..., Any], options: dict[str, Any]) -> None:
        super().__init__(function, options)
        self._entrances: dict[str, Any] = {}
        self._lock = Lock()

    def __call__(self, *args: Any) -> None:
        """Call the machine code, without Python's lock."""
        call = Call(args)
        with self._lock:
            if call.kind not in self._entrances:
                self._entrances[call.kind] = self._entrance(call)
        self._entrances[call.kind](*call.pointers())

    def _entrance(self, call: Call) -> Any:
        """The function as C sees it, for calls of this kind."""
        from tokumei.kernels.machine_code import address_of, compile_entrance

        source = self.function.__code__
        folder = Path(source.co_filename).parent
        stamp = hashlib.sha256(_surroundings(folder) + call.kind.encode()).hexdigest()[:24]
        name = f"{Path(source.co_filename).stem}.{source.co_name}-{stamp}.bin"
        code = _kept(folder, name)
        if code is None:
            code = compile_entrance(self, call)
            _keep(code, folder, name)
        prototype = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * (2 + len(call.arrays)))
        return prototype(address_of(code))


class Call:
    """The arguments of a call taken apart; `kind`, a source text, puts them together again."""

    def __init__(self, args: tuple[Any, ...]) -> None:
        self._whole: list[int] = []
        self._real: list[float] = []
        self.arrays: list[np.ndarray] = []
        self.tuples: dict[str, type] = {}
        texts = ", ".join(self._text(arg) for arg in args)
        types = " ".join(str(array.dtype) for array in self.arrays)
        self.kind = f"function({texts})  # {types}"

    def pointers(self) -> list[int]:
        """What C is handed over: whole numbers, real numbers, arrays."""
        self._numbers = np.array(self._whole, np.int64), np.array(self._real, np.float64)
        return [array.ctypes.data for array in (*self._numbers, *self.arrays)]

    def _text(self, value: Any) -> str:
        if isinstance(value, np.ndarray):
            return self._array_text(value)
        if isinstance(value, tuple):
            name = type(value).__name__
            self.tuples[name] = type(value)
            return f"{name}({', '.join(self._text(part) for part in value)})"
        if isinstance(value, float | np.floating):
            self._real.append(float(value))
            return f"real[{len(self._real) - 1}]"
        self._whole.append(int(value))
        return f"whole[{len(self._whole) - 1}]"

    def _array_text(self, array: np.ndarray) -> str:
        if not array.flags.c_contiguous:
            raise ValueError("machine code takes arrays in C order only")
        self.arrays.append(array)
        shape = ", ".join(self._text(size) for size in array.shape)
        return f"carray(array{len(self.arrays) - 1}, ({shape},))"


@cache
def _surroundings(folder: Path) -> bytes:
    """A digest of all that machine code of this folder is made from, and for."""
    import llvmlite
    from llvmlite import binding

    machine = f"{binding.get_host_cpu_name()} {binding.get_host_cpu_features().flatten()}"
    digest = hashlib.sha256(f"{llvmlite.__version__} {_compiler()} {machine}".encode())
    for path in sorted([*folder.glob("*.py"), *Path(__file__).parent.glob("*_code.py")]):
        digest.update(path.read_bytes())
    return digest.digest()


def _compiler() -> str:
    """Which Numba this is; asking its metadata, or itself, would take much longer."""
    found = find_spec("numba")
    if found is None or found.origin is None:
        return ""
    status = Path(found.origin).stat()
    return f"{status.st_mtime_ns} {status.st_size}"


def _folders(folder: Path) -> list[Path]:
    """Where code may be kept: beside the source, or else with the user's other caches."""
    if given := os.environ.get("NUMBA_CACHE_DIR"):
        return [Path(given)]
    home = os.environ.get("XDG_CACHE_HOME") or Path("~/.cache").expanduser()
    return [folder / "__pycache__", Path(home) / "tokumei"]


def _kept(folder: Path, name: str) -> bytes | None:
    """Code that is whole."""
    for place in _folders(folder):
        with suppress(OSError):
            data = (place / name).read_bytes()
            if hashlib.sha256(data[_DIGEST:]).digest() == data[:_DIGEST]:
                return data[_DIGEST:]
    return None


def _keep(code: bytes, folder: Path, name: str) -> None:
    for place in _folders(folder):
        with suppress(OSError):
            place.mkdir(parents=True, exist_ok=True)
            temporary = place / f"{name}.{secrets.token_hex(8)}.tmp"
            temporary.write_bytes(hashlib.sha256(code).digest() + code)
            temporary.replace(place / name)
            return

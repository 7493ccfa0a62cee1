"""Compile the kernels ahead of time: Python files of one folder become one module of machine code.

    python -m tokumei.kernels.build             # what is missing or older than its source
    python -m tokumei.kernels.build --checked   # the same with every index checked, for tests

The sources are plain Python with C types in the annotations (Cython's pure Python mode). Those of
a module are joined before they are compiled, because calls between modules are not inlined.
"""

from __future__ import annotations

import ast
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from tokumei.core.processes import python_command
from tokumei.kernels.loading import FOLDER, SOURCES, file_of, sources_of

DIRECTIVES = {
    "language_level": "3",
    "boundscheck": "False",
    "wraparound": "False",
    "initializedcheck": "False",
    "infer_types": "True",
    "cdivision": "True",
    "cpow": "True",
    "show_performance_hints": "False",
}
UNIX = ["-g0", "-fwrapv", "-ffp-contract=off", "-fno-math-errno", "-fno-trapping-math"]
"""The same results everywhere: no fused operations, sums in their order, no particular machine."""
MORE = {"aligned": ["-ffinite-math-only", "-fno-signed-zeros"]}
"""Modules that never meet infinity: so that the smallest of many numbers is found at once."""
WINDOWS = ["/O2", "/fp:precise"]
INNER = "@cython.cfunc"
UNLOCKED = ["@cython.nogil"]
UNFAILING = [*UNLOCKED, "@cython.exceptval(check=False)"]
CLASS = ["@cython.dataclasses.dataclass(eq=False, repr=False)", "@cython.cclass"]
_FIELD = re.compile(r"(\w+): Annotated\[np.ndarray, f?'(\w+)\[(.*?)\].*'\]")
"""An array in a door's named tuple: its name, type and axes."""
C_TYPES = {
    "int64": "longlong",
    "uint64": "ulonglong",
    "int32": "int",
    "uint8": "uchar",
    "float64": "double",
    "float32": "float",
}


def build(names: Iterable[str] = SOURCES, *, checked: bool = False) -> list[Path]:
    """Compile what is missing of these modules; the files of all, with the one they share."""
    wanted = {name: file_of(name, checked) for name in names}
    missing = [name for name, path in wanted.items() if not path.exists()]
    shared = FOLDER / f"{_shared()}{sysconfig.get_config_var('EXT_SUFFIX')}"
    with tempfile.TemporaryDirectory() as folder:
        room = Path(folder)
        todo = [*missing, *([] if shared.exists() else [_shared()])]
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(lambda name: _translate(name, room, checked), todo))
        for name, made in zip(todo, _compile(todo, room, checked), strict=True):
            _place(made, wanted.get(name, shared), name, checked)
    return [*wanted.values(), shared]


def has_compiler() -> bool:
    """Whether the system can compile C; on Windows setuptools looks for itself."""
    command = os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc"
    return sys.platform == "win32" or shutil.which(shlex.split(command)[0]) is not None


def joined(name: str, checked: bool = False) -> str:
    """The sources of a module, one behind the other, as Cython compiles them."""
    marks = UNLOCKED if checked else UNFAILING
    lines = ["from __future__ import annotations", "import cython"]
    seen: set[str] = set()
    for path in sources_of(name):
        lines += _arrays(path) if path.stem == "__init__" else _part(path, marks, seen)
    return "\n".join(lines) + "\n"


def _arrays(path: Path) -> list[str]:
    """The named tuples of a door as classes with the arrays that it describes."""
    lines = []
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ClassDef) and [ast.unparse(base) for base in node.bases] == [
            "NamedTuple"
        ]:
            found = (_FIELD.fullmatch(ast.unparse(part)) for part in node.body)
            fields = [_field(*one.groups()) for one in found if one]
            lines += [*CLASS, f"class {node.name}:", *fields] if fields else []
    return lines


def _field(name: str, kind: str, axes: str) -> str:
    colons = ", ".join([":"] * axes.count(",") + ["::1"])
    return f"    {name}: cython.{C_TYPES[kind]}[{colons}]"


def _part(path: Path, marks: list[str], seen: set[str]) -> list[str]:
    """One source without the imports that joining makes needless; inner functions get their marks.

    No name may mean two things: `seen` are those of the sources before.
    """
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines()
    for node in ast.parse(text).body:
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(
            ("__future__", "tokumei.kernels.")
        ):
            for number in range(node.lineno - 1, node.end_lineno or node.lineno):
                lines[number] = ""
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            if node.name in seen:
                raise ValueError(f"{path}: '{node.name}' is also in another source of the module")
            seen.add(node.name)
    return [part for line in lines for part in ([line, *marks] if line == INNER else [line])]


def _shared() -> str:
    """The module with what all compiled modules need of Cython: its arrays."""
    return f"_cython_{version('cython').replace('.', '_')}"


def _translate(name: str, room: Path, checked: bool) -> None:
    """From Python to C."""
    target = room / f"{name}.c"
    if name not in SOURCES:
        what = [f"--generate-shared={target}"]
    else:
        module = room / f"_{name}.py"
        module.write_text(joined(name, checked), encoding="utf-8")
        given = {**DIRECTIVES, "boundscheck": str(checked)}
        options = [part for pair in given.items() for part in ("-X", "=".join(pair))]
        shared = f"--shared=tokumei.kernels.{_shared()}"
        what = [*options, shared, "-o", str(target), str(module)]
    subprocess.run(python_command("cython", "-3", *what), check=True)


def _compile(names: list[str], room: Path, checked: bool) -> list[Path]:
    """From C to machine code, with the system's compiler or the one of the package `ziglang`."""
    from setuptools import Distribution, Extension
    from setuptools.command.build_ext import build_ext

    if not has_compiler():
        if not find_spec("ziglang"):
            raise ImportError("there is no C compiler (cc), nor the package ziglang")
        # Not the flags that Python's own compiler and linker got: they are another's.
        zig = shlex.join(python_command("ziglang", "cc"))
        os.environ |= {"CC": zig, "LDSHARED": f"{zig} -shared"}
    modules = [name if name not in SOURCES else f"_{name}" for name in names]
    parts = [
        Extension(module, [str(room / f"{name}.c")], extra_compile_args=_flags(name, checked))
        for module, name in zip(modules, names, strict=True)
    ]
    command = build_ext(Distribution({"name": "kernels", "ext_modules": parts}))
    command.build_lib = command.build_temp = str(room)
    command.parallel = os.cpu_count()
    command.ensure_finalized()
    command.run()
    return [Path(command.get_ext_fullpath(module)) for module in modules]


def _flags(name: str, checked: bool) -> list[str]:
    if sys.platform == "win32":
        return WINDOWS
    return ["-O1" if checked else "-O3", *UNIX, *MORE.get(name, [])]


def _place(made: Path, target: Path, name: str, checked: bool) -> None:
    """Put the file where it is found, whole at once; files of older sources go."""
    old = [path for path in FOLDER.glob(file_of(name, checked, "*").name) if path != target]
    beside = target.with_name(f"{target.name}.{os.getpid()}")
    shutil.copy(made, beside)
    beside.replace(target)
    for path in old:
        path.unlink(missing_ok=True)


if __name__ == "__main__":
    for path in build(checked="--checked" in sys.argv[1:]):
        print(path.relative_to(FOLDER))

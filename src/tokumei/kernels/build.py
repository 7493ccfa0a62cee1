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

from tokumei.core.python_processes import python_command
from tokumei.kernels.loading import KERNEL_SOURCES, KERNELS_FOLDER, compiled_file, source_files

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
UNIX_FLAGS = ["-g0", "-fwrapv", "-ffp-contract=off", "-fno-math-errno", "-fno-trapping-math"]
"""The same results everywhere: no fused operations, sums in their order, no particular machine."""
EXTRA_FLAGS = {"history_alignment": ["-ffinite-math-only", "-fno-signed-zeros"]}
"""Modules that never meet infinity: so that the smallest of many numbers is found at once."""
WINDOWS_FLAGS = ["/O2", "/fp:precise"]
CFUNC_DECORATOR = "@cython.cfunc"
NOGIL_DECORATORS = ["@cython.nogil"]
UNCHECKED_DECORATORS = [*NOGIL_DECORATORS, "@cython.exceptval(check=False)"]
CCLASS_DECORATORS = ["@cython.dataclasses.dataclass(eq=False, repr=False)", "@cython.cclass"]
_FIELD_PATTERN = re.compile(r"(\w+): Annotated\[np.ndarray, f?'(\w+)\[(.*?)\].*'\]")
"""An array in a door's named tuple: its name, type and axes."""
C_TYPES = {
    "int64": "longlong",
    "uint64": "ulonglong",
    "int32": "int",
    "uint8": "uchar",
    "float64": "double",
    "float32": "float",
}


def build(names: Iterable[str] = KERNEL_SOURCES, *, checked: bool = False) -> list[Path]:
    """Compile what is missing of these modules; the files of all, with the one they share."""
    targets = {name: compiled_file(name, checked) for name in names}
    missing = [name for name, path in targets.items() if not path.exists()]
    shared = KERNELS_FOLDER / f"{_shared_module_name()}{sysconfig.get_config_var('EXT_SUFFIX')}"
    with tempfile.TemporaryDirectory() as folder:
        build_folder = Path(folder)
        todo = [*missing, *([] if shared.exists() else [_shared_module_name()])]
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(lambda name: _translate_to_c(name, build_folder, checked), todo))
        for name, compiled in zip(todo, _compile_c(todo, build_folder, checked), strict=True):
            _install_file(compiled, targets.get(name, shared), name, checked)
    return [*targets.values(), shared]


def has_compiler() -> bool:
    """Whether the system can compile C; on Windows setuptools looks for itself."""
    command = os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc"
    return sys.platform == "win32" or shutil.which(shlex.split(command)[0]) is not None


def join_sources(name: str, checked: bool = False) -> str:
    """The sources of a module, one behind the other, as Cython compiles them."""
    marks = NOGIL_DECORATORS if checked else UNCHECKED_DECORATORS
    lines = ["from __future__ import annotations", "import cython"]
    seen: set[str] = set()
    for path in source_files(name):
        lines += (
            _array_classes(path) if path.stem == "__init__" else _source_lines(path, marks, seen)
        )
    return "\n".join(lines) + "\n"


def _array_classes(path: Path) -> list[str]:
    """The named tuples of a door as classes with the arrays that it describes."""
    lines = []
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ClassDef) and [ast.unparse(base) for base in node.bases] == [
            "NamedTuple"
        ]:
            matches = (_FIELD_PATTERN.fullmatch(ast.unparse(part)) for part in node.body)
            fields = [_format_field(*match.groups()) for match in matches if match]
            lines += [*CCLASS_DECORATORS, f"class {node.name}:", *fields] if fields else []
    return lines


def _format_field(name: str, kind: str, axes: str) -> str:
    colons = ", ".join([":"] * axes.count(",") + ["::1"])
    return f"    {name}: cython.{C_TYPES[kind]}[{colons}]"


def _source_lines(path: Path, marks: list[str], seen: set[str]) -> list[str]:
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
    return [
        part for line in lines for part in ([line, *marks] if line == CFUNC_DECORATOR else [line])
    ]


def _shared_module_name() -> str:
    """The module with what all compiled modules need of Cython: its arrays."""
    return f"_cython_{version('cython').replace('.', '_')}"


def _translate_to_c(name: str, build_folder: Path, checked: bool) -> None:
    """From Python to C."""
    target = build_folder / f"{name}.c"
    if name not in KERNEL_SOURCES:
        arguments = [f"--generate-shared={target}"]
    else:
        module = build_folder / f"_{name}.py"
        module.write_text(join_sources(name, checked), encoding="utf-8")
        directives = {**DIRECTIVES, "boundscheck": str(checked)}
        options = [part for pair in directives.items() for part in ("-X", "=".join(pair))]
        shared = f"--shared=tokumei.kernels.{_shared_module_name()}"
        arguments = [*options, shared, "-o", str(target), str(module)]
    subprocess.run(python_command("cython", "-3", *arguments), check=True)


def _compile_c(names: list[str], build_folder: Path, checked: bool) -> list[Path]:
    """From C to machine code, with the system's compiler or the one of the package `ziglang`."""
    from setuptools import Distribution, Extension
    from setuptools.command.build_ext import build_ext

    if not has_compiler():
        if not find_spec("ziglang"):
            raise ImportError("there is no C compiler (cc), nor the package ziglang")
        # Not the flags that Python's own compiler and linker got: they are another's.
        zig = shlex.join(python_command("ziglang", "cc"))
        os.environ |= {"CC": zig, "LDSHARED": f"{zig} -shared"}
    modules = [name if name not in KERNEL_SOURCES else f"_{name}" for name in names]
    parts = [
        Extension(
            module,
            [str(build_folder / f"{name}.c")],
            extra_compile_args=_compiler_flags(name, checked),
        )
        for module, name in zip(modules, names, strict=True)
    ]
    command = build_ext(Distribution({"name": "kernels", "ext_modules": parts}))
    command.build_lib = command.build_temp = str(build_folder)
    command.parallel = os.cpu_count()
    command.ensure_finalized()
    command.run()
    return [Path(command.get_ext_fullpath(module)) for module in modules]


def _compiler_flags(name: str, checked: bool) -> list[str]:
    if sys.platform == "win32":
        return WINDOWS_FLAGS
    return ["-O1" if checked else "-O3", *UNIX_FLAGS, *EXTRA_FLAGS.get(name, [])]


def _install_file(compiled: Path, target: Path, name: str, checked: bool) -> None:
    """Put the file where it is found, whole at once; files of older sources go."""
    old = [
        path
        for path in KERNELS_FOLDER.glob(compiled_file(name, checked, "*").name)
        if path != target
    ]
    temporary = target.with_name(f"{target.name}.{os.getpid()}")
    shutil.copy(compiled, temporary)
    temporary.replace(target)
    for path in old:
        path.unlink(missing_ok=True)


if __name__ == "__main__":
    for path in build(checked="--checked" in sys.argv[1:]):
        print(path.relative_to(KERNELS_FOLDER))

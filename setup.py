"""Compile the message catalogs and the kernels: the files of a folder become one module.

    python setup.py build_ext --inplace                          # what was changed since
    TOKUMEI_KERNELS=checked python setup.py build_ext --inplace  # every index checked, for tests

The sources are plain Python with C types in the annotations (Cython's pure Python mode). Those of
a module are joined before they are compiled, because calls between modules are not inlined. Where
the system has no C compiler, the package `ziglang` is one.
"""

from __future__ import annotations

import ast
import os
import re
import shlex
import shutil
import sys
import sysconfig
from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from Cython.Build import cythonize
from setuptools import Extension, setup

SOURCE_FOLDER = Path(__file__).parent / "src"
sys.path.insert(0, str(SOURCE_FOLDER))

from tokumei.kernels.loading import (  # noqa: E402
    KERNEL_SOURCES,
    compiled_module,
    digest_sources,
    source_files,
)

BUILD_FOLDER = Path("build/kernels")
CHECKED = os.environ.get("TOKUMEI_KERNELS") == "checked"
SHARED_MODULE = "tokumei.kernels._cython"
"""What all compiled modules need of Cython: its arrays."""
DIRECTIVES = {
    "language_level": "3",
    "boundscheck": CHECKED,
    "wraparound": False,
    "initializedcheck": False,
    "infer_types": True,
    "cdivision": True,
    "cpow": True,
    "show_performance_hints": False,
}
UNIX_FLAGS = ["-g0", "-fwrapv", "-ffp-contract=off", "-fno-math-errno", "-fno-trapping-math"]
"""The same results everywhere: no fused operations, sums in their order, no particular machine."""
EXTRA_FLAGS = {"history_alignment": ["-ffinite-math-only", "-fno-signed-zeros"]}
"""Modules that never meet infinity: so that the smallest of many numbers is found at once."""
WINDOWS_FLAGS = ["/O2", "/fp:precise"]
CFUNC_DECORATOR = "@cython.cfunc"
CFUNC_MARKS = ["@cython.nogil", *([] if CHECKED else ["@cython.exceptval(check=False)"])]
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


def compile_catalogs() -> None:
    """Write beside every catalog of sentences what the package reads (`.mo`)."""
    for path in SOURCE_FOLDER.glob("tokumei/locale/*/LC_MESSAGES/*.po"):
        with path.open("rb") as source:
            catalog = read_po(source, locale=path.parents[1].name)
        staged = path.with_suffix(".mo.new")
        with staged.open("wb") as target:
            write_mo(target, catalog)
        staged.replace(path.with_suffix(".mo"))


def has_compiler() -> bool:
    """Whether the system can compile C; on Windows setuptools looks for itself."""
    command = os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc"
    return sys.platform == "win32" or shutil.which(shlex.split(command)[0]) is not None


def use_zig() -> None:
    """Compile with `ziglang`, without the flags that Python's own compiler and linker got."""
    zig = shlex.join([sys.executable, "-P", "-m", "ziglang", "cc"])
    os.environ |= {"CC": zig, "LDSHARED": f"{zig} -shared"}


def list_extensions() -> list[Extension]:
    """The compiled modules with the one they share."""
    BUILD_FOLDER.mkdir(parents=True, exist_ok=True)
    shared_file = BUILD_FOLDER / "_cython.c"
    return [
        *(
            Extension(
                compiled_module(name, CHECKED),
                [str(write_joined_sources(name))],
                extra_compile_args=compiler_flags(name),
            )
            for name in KERNEL_SOURCES
        ),
        Extension(SHARED_MODULE, [str(shared_file)], extra_compile_args=compiler_flags("")),
    ]


def compiler_flags(name: str) -> list[str]:
    """The flags of one module."""
    if sys.platform == "win32":
        return WINDOWS_FLAGS
    return ["-O1" if CHECKED else "-O3", *UNIX_FLAGS, *EXTRA_FLAGS.get(name, [])]


def write_joined_sources(name: str) -> Path:
    """Write the sources of a module, one behind the other, where they or this file changed."""
    lines = ["from __future__ import annotations", "import cython"]
    names_before: set[str] = set()
    for path in source_files(name):
        lines += array_classes(path) if path.stem == "__init__" else inner_lines(path, names_before)
    text = "\n".join([*lines, f"SOURCES_DIGEST = {digest_sources(name)!r}", ""])
    target = BUILD_FOLDER / f"{compiled_module(name, CHECKED).rpartition('.')[2]}.py"
    if (
        not target.exists()
        or target.stat().st_mtime < Path(__file__).stat().st_mtime
        or target.read_text(encoding="utf-8") != text
    ):
        target.write_text(text, encoding="utf-8")
    return target


def array_classes(path: Path) -> list[str]:
    """The named tuples of a door as classes with the arrays that it describes."""
    lines = []
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ClassDef) and [ast.unparse(base) for base in node.bases] == [
            "NamedTuple"
        ]:
            matches = (_FIELD_PATTERN.fullmatch(ast.unparse(part)) for part in node.body)
            fields = [format_field(*match.groups()) for match in matches if match]
            lines += [*CCLASS_DECORATORS, f"class {node.name}:", *fields] if fields else []
    return lines


def format_field(name: str, kind: str, axes: str) -> str:
    """One array of a class, as Cython declares it."""
    colons = ", ".join([":"] * axes.count(",") + ["::1"])
    return f"    {name}: cython.{C_TYPES[kind]}[{colons}]"


def inner_lines(path: Path, names_before: set[str]) -> list[str]:
    """One source without the imports that joining makes needless; inner functions get their marks.

    No name may mean two things: `names_before` are those of the sources before.
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
            if node.name in names_before:
                raise ValueError(f"{path}: '{node.name}' is also in another source of the module")
            names_before.add(node.name)
    return [
        part
        for line in lines
        for part in ([line, *CFUNC_MARKS] if line == CFUNC_DECORATOR else [line])
    ]


compile_catalogs()
HAS_COMPILER = has_compiler()
if "bdist_wheel" in sys.argv:  # a wheel holds no file that was removed since an earlier build
    for folder in Path("build").glob("lib*"):
        shutil.rmtree(folder)
if not HAS_COMPILER:
    use_zig()
setup(
    ext_modules=cythonize(
        list_extensions(),
        compiler_directives=DIRECTIVES,
        shared_utility_qualified_name=SHARED_MODULE,
    ),
    options={"build_ext": {"parallel": os.cpu_count()}},
    setup_requires=[] if HAS_COMPILER else ["ziglang"],
)

"""Counts the modules with logic that have their tests at the mirrored path.

The tests of src/tokumei/a/b/c.py stand in tests/a/b/test_c.py. `python tests/mirror.py` prints the
share of each folder and of the package; `python tests/mirror.py --missing` what has none.
"""

from __future__ import annotations

import ast
import sys
from collections import defaultdict
from pathlib import Path

from tokumei.kernels.loading import KERNEL_SOURCES, source_files

TESTS = Path(__file__).parent
PACKAGE = TESTS.parent / "src" / "tokumei"
LISTS = {"__init__.py", "__main__.py", "registry.py", "_version.py"}
"""Files that name what others define."""


def has_logic(source: str) -> bool:
    """Whether a function or method does something: more than a docstring, `...` or `pass`."""
    return any(_does_something(node) for node in _functions(ast.parse(source)))


def mirrored_test(module: Path) -> Path:
    """Where the tests of a module stand."""
    return TESTS / module.relative_to(PACKAGE).with_name(f"test_{module.name.lstrip('_')}")


def modules_with_logic() -> list[Path]:
    """All modules of the package that need tests, sorted."""
    compiled = {path.resolve() for name in KERNEL_SOURCES for path in source_files(name)}
    return [
        path
        for path in sorted(PACKAGE.rglob("*.py"))
        if path.name not in LISTS
        and "migrations" not in path.parts
        and path.resolve() not in compiled
        and has_logic(path.read_text(encoding="utf-8"))
    ]


def missing_tests() -> list[Path]:
    """The modules with logic that have no test at the mirrored path."""
    return [module for module in modules_with_logic() if not mirrored_test(module).exists()]


def _functions(tree: ast.Module) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    """All functions and methods outside protocols."""
    functions: list[ast.FunctionDef | ast.AsyncFunctionDef] = []
    open_nodes: list[ast.AST] = [tree]
    while open_nodes:
        node = open_nodes.pop()
        if isinstance(node, ast.ClassDef) and "Protocol" in map(_name_of, node.bases):
            continue
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            functions.append(node)
        open_nodes.extend(ast.iter_child_nodes(node))
    return functions


def _name_of(base: ast.expr) -> str:
    return ast.unparse(base).partition("[")[0].rpartition(".")[2]


def _does_something(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return any(
        not isinstance(statement, ast.Pass)
        and not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant))
        for statement in function.body
    )


def main(arguments: list[str]) -> int:
    """Print the share per folder, or the modules without tests."""
    missing = set(missing_tests())
    if "--missing" in arguments:
        print("\n".join(path.relative_to(PACKAGE).as_posix() for path in sorted(missing)))
        return 0
    folders: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    modules = modules_with_logic()
    for module in modules:
        counts = folders[module.parent.relative_to(PACKAGE).as_posix()]
        counts[0] += module not in missing
        counts[1] += 1
    for folder, (tested, total) in folders.items():
        print(f"{folder}: {tested} of {total}")
    tested = len(modules) - len(missing)
    print(f"all: {tested} of {len(modules)} ({100 * tested / len(modules):.1f} %)")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

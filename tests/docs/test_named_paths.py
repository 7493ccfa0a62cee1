"""The pages for developers name only files, folders, modules and names that exist."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache

import pytest

from support.documentation import DOCS, FENCE

ROOT = DOCS.parent
PACKAGE = ROOT / "src" / "tokumei"
PAGES = ["docs/design.md", "docs/extending.md", "CONTRIBUTING.md"]
KINDS = ("tables", "histories", "pseudonyms")
PATH = re.compile(r"[\w.*-]+(/[\w.*-]+)+/?|\w+\.(py|md|toml|ya?ml)")
IDENTIFIER = re.compile(r"(tk\.)?[A-Za-z]\w*(\.\w+)*(\(.*\))?")
CODE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
FOREIGN = {
    "ClassVar",
    "cc",
    "dataclasses.replace",
    "monkeypatch",
    "time",
    "time.monotonic",
    "time.sleep",
    "ziglang",
}
"""Names of other libraries and tools."""
MENTIONED_FILES = {"public.csv", "secret.csv", "public.csv.manifest.json", "demo.yaml"}
"""Files that commands write or that a package may have."""
EXAMPLE_PACKAGE = ROOT / "examples" / "ratings" / "tokumei_ratings"


def codes(page: str) -> list[str]:
    text = (ROOT / page).read_text(encoding="utf-8")
    return CODE.findall(FENCE.sub("", text))


def spelled_out(path: str) -> list[str]:
    """A path with KIND once for each kind; of one with NAME, its folder."""
    folder = path.rsplit("/", 1)[0] if "NAME" in path else path
    return [folder.replace("KIND", kind) for kind in KINDS] if "KIND" in folder else [folder]


def exists(path: str) -> bool:
    homes = (ROOT, PACKAGE, PACKAGE.parent, DOCS, EXAMPLE_PACKAGE)
    return any((home / path).exists() for home in homes)


@cache
def defined_names() -> frozenset[str]:
    """Everything that Python code of the project defines: classes, functions, fields, names."""
    names: set[str] = set()
    for folder in ("src/tokumei", "tests/support", "tests/tables/measures", "examples"):
        for path in (ROOT / folder).rglob("*.py"):
            names |= {path.stem, path.parent.name}
            names.update(names_in(ast.parse(path.read_text(encoding="utf-8"))))
    return frozenset(names)


def names_in(tree: ast.Module) -> Iterator[str]:
    """Classes, functions, arguments, texts of one word, and what modules and classes assign."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
        if isinstance(node, ast.Module | ast.ClassDef):
            yield from assigned_in(node.body)


def assigned_in(body: list[ast.stmt]) -> Iterator[str]:
    for statement in body:
        targets = statement.targets if isinstance(statement, ast.Assign) else []
        targets = [statement.target] if isinstance(statement, ast.AnnAssign) else targets
        yield from (target.id for target in targets if isinstance(target, ast.Name))


@pytest.mark.parametrize("page", PAGES)
def test_every_path_exists(page: str) -> None:
    named = {code for code in codes(page) if PATH.fullmatch(code)} - MENTIONED_FILES
    assert named
    missing = [path for code in named for path in spelled_out(code) if not exists(path)]
    assert not missing


@pytest.mark.parametrize("page", PAGES)
def test_every_name_exists(page: str) -> None:
    """Names of classes, functions, fields, folders and modules; dotted ones part by part."""
    named = {
        code
        for code in codes(page)
        if IDENTIFIER.fullmatch(code) and not PATH.fullmatch(code) and not code.isupper()
    }
    assert named
    known = defined_names() | {"tk", "tokumei", "src"}
    missing = [
        name
        for name in named - FOREIGN - MENTIONED_FILES
        if not all(part in known for part in name.partition("(")[0].split("."))
    ]
    assert not missing


@pytest.mark.parametrize("page", PAGES)
def test_every_module_with_a_name_has_it(page: str) -> None:
    """Of `tokumei.a.b` and `kernels.a.b.name`, the module is there and has the name."""
    for code in codes(page):
        dotted = code.removeprefix("tokumei.").partition("(")[0]
        home, _, name = dotted.rpartition(".")
        path = PACKAGE / f"{home.replace('.', '/')}.py"
        if IDENTIFIER.fullmatch(code) and "." in home and path.exists():
            assert name in {*names_in(ast.parse(path.read_text(encoding="utf-8")))}, code

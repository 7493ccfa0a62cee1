"""The documentation covers every public name, and its links lead somewhere.

That its commands and programs run is tested in `golden/`, where what they say is recorded.
"""

from __future__ import annotations

import ast
import dataclasses
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

import tokumei
from support.documentation import DOCS, FENCE, NAMES, PAGES, parse_blocks
from support.public_modules import PUBLIC_MODULES
from tokumei.apps.cli.dispatch import list_commands
from tokumei.core.registry import Registry
from tokumei.kinds import all_kinds

LINK = re.compile(r"(?<!!)\[[^\]\n]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
PYTHON = ("python", "py")
PUBLIC = re.compile(r"^\| `tk\.(\w+)` \|", re.MULTILINE)


@pytest.fixture
def page_of(request: pytest.FixtureRequest) -> str:
    return (DOCS / request.param).read_text(encoding="utf-8")


@pytest.mark.parametrize("page_of", NAMES, indirect=True, ids=NAMES)
def test_console_lines_that_show_output_come_from_a_command(page_of: str) -> None:
    for block in parse_blocks(page_of):
        if block.kind == "console":
            assert block.text.startswith("$ "), block.line


@pytest.mark.parametrize("name", NAMES)
def test_relative_links_resolve(name: str) -> None:
    page = DOCS / name
    for target in LINK.findall(FENCE.sub("", page.read_text(encoding="utf-8"))):
        assert "://" not in target, f"{name}: no external resources: {target}"
        path, _, anchor = target.partition("#")
        linked = (page.parent / path).resolve() if path else page
        assert linked.is_file(), f"{name}: {target}"
        if anchor:
            assert anchor in anchors(linked), f"{name}: {target}"


def anchors(page: Path) -> set[str]:
    titles = HEADING.findall(FENCE.sub("", page.read_text(encoding="utf-8")))
    plain = (re.sub(r"[^\w\s-]", "", title).strip().lower() for title in titles)
    return {re.sub(r"[\s-]+", "-", title) for title in plain}


def test_no_page_is_left_out_of_the_docs() -> None:
    """Every page can be reached from the index."""
    reached, open_pages = set(), [DOCS / "index.md"]
    while open_pages:
        page = open_pages.pop()
        if page in reached:
            continue
        reached.add(page)
        targets = LINK.findall(page.read_text(encoding="utf-8"))
        open_pages += [
            (page.parent / t.partition("#")[0]).resolve() for t in targets if t[0] != "#"
        ]
    assert set(PAGES) <= reached


REGISTERED = [
    (registry.group, name)
    for kind in all_kinds()
    for registry in kind.registries.values()
    for name in registry.names()
]


@pytest.mark.parametrize(("group", "name"), REGISTERED)
def test_every_registered_name_is_documented(group: str, name: str) -> None:
    pages = {
        "tokumei.tables.anonymizers": "methods/*.md",
        "tokumei.tables.attackers": "attacks/*.md",
        "tokumei.tables.measures": "measures.md",
        "tokumei.tables.rules": "verify.md",
        "tokumei.histories.anonymizers": "methods/*.md",
        "tokumei.histories.attackers": "attacks/*.md",
        "tokumei.histories.measures": "measures.md",
        "tokumei.histories.rules": "verify.md",
        "tokumei.pseudonyms.anonymizers": "methods/pseudonyms.md",
        "tokumei.pseudonyms.attackers": "attacks/*.md",
        "tokumei.pseudonyms.measures": "pseudonym-measures.md",
        "tokumei.pseudonyms.rules": "verify.md",
    }[group]
    word = re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])")
    assert any(word.search(page.read_text(encoding="utf-8")) for page in DOCS.glob(pages))


@pytest.mark.parametrize(
    ("kind", "folder", "name"),
    [
        (kind, folder, name)
        for one in all_kinds()
        for kind, folder in ((one.anonymizers, "methods"), (one.attackers, "attacks"))
        for name in kind.names()
    ],
    ids=lambda part: part if isinstance(part, str) else part.group,
)
def test_every_parameter_is_documented(kind: Registry[object], folder: str, name: str) -> None:
    text = "".join(page.read_text(encoding="utf-8") for page in (DOCS / folder).glob("*.md"))
    for field in dataclasses.fields(kind.get(name)):
        assert re.search(rf"^\| `{field.name}` \|", text, re.MULTILINE), field.name


def test_reference_lists_exactly_the_public_names() -> None:
    text = (DOCS / "reference.md").read_text(encoding="utf-8")
    assert sorted(PUBLIC.findall(text)) == sorted(tokumei.__all__)


def test_reference_shows_every_public_name_at_work() -> None:
    shown = (DOCS / "reference.md").read_text(encoding="utf-8")
    code = "".join(block.text for block in parse_blocks(shown) if block.kind == "python")
    assert {*re.findall(r"\btk\.(\w+)", code)} >= {*tokumei.__all__}


@pytest.mark.parametrize("module", PUBLIC_MODULES[1:])
def test_reference_lists_exactly_the_names_of_a_module(module: str) -> None:
    text = (DOCS / "reference.md").read_text(encoding="utf-8")
    _, _, after = text.partition(f"### `{module}`\n")
    listed = re.findall(
        r"^\| (`.+?) \|", re.split(r"^##", after, flags=re.MULTILINE)[0], re.MULTILINE
    )
    names = [name for line in listed for name in re.findall(r"`(\w+)`", line)]
    assert sorted(names) == sorted(import_module(module).__all__)


def test_readers_import_public_modules_only() -> None:
    """Pages, READMEs and examples; the pages on the design tell of the inside."""
    root = DOCS.parent
    pages = [*PAGES, *root.glob("README*.md"), *root.glob("examples/**/*.md")]
    texts = {
        page: [b.text for b in parse_blocks(page.read_text(encoding="utf-8")) if b.kind in PYTHON]
        for page in pages
    }
    texts |= {one: [one.read_text(encoding="utf-8")] for one in root.glob("examples/**/*.py")}
    for page, codes in texts.items():
        internal = {name for code in codes for name in imported(code)} - {*PUBLIC_MODULES}
        assert not internal, page


def imported(code: str) -> Iterator[str]:
    """The modules of Tokumei that a program imports."""
    for one in ast.walk(ast.parse(code)):
        names = [one.module] if isinstance(one, ast.ImportFrom) else []
        names = [part.name for part in one.names] if isinstance(one, ast.Import) else names
        yield from (name for name in names if name and name.split(".")[0] == "tokumei")


def cli_commands() -> list[str]:
    paths = [one.path for one in list_commands()]
    groups = {path[:-1] for path in paths}
    return [
        f"tokumei {' '.join(path)}"
        for path in paths
        if path not in groups and path[:-1] not in paths
    ]


@pytest.mark.parametrize("command", cli_commands())
def test_every_command_is_documented_and_shown_running(command: str) -> None:
    reference = (DOCS / "reference.md").read_text(encoding="utf-8")
    assert f"| `{command}" in reference
    texts = [page.read_text(encoding="utf-8") for page in PAGES]
    assert any(command in text for text in texts)


def test_no_page_names_a_machine() -> None:
    """No page has an address or an absolute path of the machine it was written on."""
    for page in PAGES:
        assert not re.search(r"https?://|/(work|tmp|home)/", page.read_text(encoding="utf-8")), page

"""A contest's folder as the beginning of a project: its data, and what kind they are."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tokumei.contest.spec.folder import FILE, read_contest_folder
from tokumei.core.errors import InputError
from tokumei.kinds import kind
from tokumei.studio.store.state import KindName, Role

MADE: tuple[KindName, ...] = ("tables", "histories")
"""The kinds of data of which the studio can make a contest's uploads."""

_SAID: dict[str, Role] = {"qi": "quasi", "sa": "sensitive", "id": "identifier", "ids": "identifier"}


@dataclass(frozen=True)
class ContestSource:
    """The data of a contest."""

    folder: str
    data: Path
    kind: KindName
    title: str


def contest_source(given: str) -> ContestSource:
    """The original of a contest's folder; InputError if it is none that can be played here."""
    folder = Path(given).expanduser().resolve()
    spec = read_contest_folder(folder)
    kinds = {format: name for name in MADE for format in kind(name).format_judges()}
    if spec.format not in kinds:
        known = ", ".join(kinds)
        raise InputError(
            f"the studio makes uploads for contests of the formats {known}, not {spec.format}",
            f"スタジオで提出物を作れるのは {known} 形式のコンテストです ({spec.format})",
        )
    folder = folder.parent if folder.name == FILE else folder
    return ContestSource(str(folder), folder / spec.data["original"], kinds[spec.format], spec.slug)


def contest_format(given: str) -> str:
    """The format of a contest's files."""
    return read_contest_folder(Path(given)).format


def contest_roles(given: str, names: list[str]) -> dict[str, Role]:
    """What the contest says of its columns; those it does not name pass, as its rules want it."""
    schema = read_contest_folder(Path(given)).schema_
    said: dict[str, Role] = {}
    for key, role in _SAID.items():
        said |= {str(name): role for name in schema.get(key) or ()}
    return {name: said.get(name, "keep") for name in names}

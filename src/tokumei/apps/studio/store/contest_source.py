"""Starts a project from a contest's folder: its data and their kind."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tokumei.apps.contest.spec.folder import CONTEST_FILE, read_contest_folder
from tokumei.apps.studio.store.project_state import KindName, Role
from tokumei.core.errors import InputError
from tokumei.core.messages import join_messages
from tokumei.kinds import kind

SUPPORTED_KINDS: tuple[KindName, ...] = ("tables", "histories")
"""The kinds of data of which the studio can make a contest's uploads."""

_ROLE_BY_SCHEMA_KEY: dict[str, Role] = {
    "qi": "quasi",
    "sa": "sensitive",
    "id": "identifier",
    "ids": "identifier",
}


@dataclass(frozen=True)
class ContestSource:
    """The data of a contest."""

    folder: str
    data: Path
    kind: KindName
    title: str


def read_contest_source(path: str) -> ContestSource:
    """The original of a contest's folder; InputError if it is none that can be played here."""
    folder = Path(path).expanduser().resolve()
    spec = read_contest_folder(folder)
    kinds = {format: name for name in SUPPORTED_KINDS for format in kind(name).format_judges()}
    if spec.format not in kinds:
        raise InputError(
            "the studio makes uploads for contests of the formats {formats}, not {format}",
            formats=join_messages(kinds),
            format=spec.format,
        )
    folder = folder.parent if folder.name == CONTEST_FILE else folder
    return ContestSource(str(folder), folder / spec.data["original"], kinds[spec.format], spec.slug)


def read_contest_format(path: str) -> str:
    """The format of a contest's files."""
    return read_contest_folder(Path(path)).format


def read_contest_roles(path: str, names: list[str]) -> dict[str, Role]:
    """What the contest says of its columns; those it does not name pass, as its rules want it."""
    schema = read_contest_folder(Path(path)).schema_
    roles_by_name: dict[str, Role] = {}
    for key, role in _ROLE_BY_SCHEMA_KEY.items():
        roles_by_name |= {str(name): role for name in schema.get(key) or ()}
    return {name: roles_by_name.get(name, "keep") for name in names}

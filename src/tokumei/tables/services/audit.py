"""Audits a release with people who were in it and people who were not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from tokumei.core.errors import UsageError
from tokumei.core.messages import Message
from tokumei.tables.audit.audit import DEFAULT_TARGETS, Audit, audit
from tokumei.tables.audit.inputs import AUDIT_KINDS, AuditKind
from tokumei.tables.services.plan_table import role_notes
from tokumei.tables.services.read_comparison import ColumnsByRole, manifest_roles, roles_source_note

if TYPE_CHECKING:
    import polars as pl

    from tokumei.tables.data.table import Table


@dataclass(frozen=True, kw_only=True)
class AuditTableRequest:
    """Files of a release, of its people (`members`), of others (`control`), and what is asked.

    `reference` are further people whom the attacker knows. `known`: the columns that the attacker
    knows of a person; None: all of them.
    """

    release: str
    members: str
    control: str
    reference: str | None = None
    qi: tuple[str, ...] | None = None
    sa: tuple[str, ...] | None = None
    known: tuple[str, ...] | None = None
    hierarchies: str | None = None
    kinds: tuple[AuditKind, ...] = AUDIT_KINDS
    model: Literal["together", "alone"] = "together"
    groups: tuple[str, ...] = ()
    person: str | None = None
    tolerance: Mapping[str, float] = field(default_factory=dict)
    width: int = 4
    targets: int = DEFAULT_TARGETS
    seed: int | None = None
    sep: str | None = None
    encoding: str = "auto"

    @property
    def people(self) -> dict[str, str]:
        """The files of people, by what they are."""
        named = {"members": self.members, "control": self.control, "reference": self.reference}
        return {name: path for name, path in named.items() if path is not None}


@dataclass(frozen=True, eq=False)
class AuditedTable:
    """The audit, and remarks on where the roles come from."""

    audit: Audit
    notes: list[Message]


def audit_table(request: AuditTableRequest) -> AuditedTable:
    """Read all files, and attack the release with the people of each."""
    people = request.people
    if len({Path(path).resolve() for path in people.values()}) < len(people):
        raise UsageError(
            "members, control and reference are different people: one file is given twice"
        )
    frames = {name: _read(path, request) for name, path in people.items()}
    release = _read(request.release, request)
    roles, hierarchies, notes = _read_roles(request, frames["members"], release)
    found = audit(
        release,
        members=frames["members"],
        control=frames["control"],
        reference=frames.get("reference"),
        **roles,
        known=request.known,
        hierarchies=hierarchies,
        kinds=request.kinds,
        model=request.model,
        groups=request.groups,
        person=request.person,
        tolerance=request.tolerance,
        width=request.width,
        targets=request.targets,
        seed=request.seed,
        names={**people, "release": request.release},
    )
    return AuditedTable(found, notes)


def _read(path: str, request: AuditTableRequest | SplitTableRequest) -> pl.DataFrame:
    from tokumei.files.reading import read_frame
    from tokumei.tables.data.simple_frame import require_simple_frame

    return require_simple_frame(read_frame(path, sep=request.sep, encoding=request.encoding))


def _read_roles(
    request: AuditTableRequest, members: pl.DataFrame, release: pl.DataFrame
) -> tuple[ColumnsByRole, Any, list[Message]]:
    """Roles of columns, hierarchies, and what to say of where they come from."""
    from tokumei.tables.hierarchies.release_hierarchies import (
        hierarchies_from_manifest,
        read_manifest,
    )

    manifest = read_manifest(request.release)
    roles, notes = _find_roles(request, manifest, members)
    if request.hierarchies is not None:
        return roles, request.hierarchies, notes
    shared = [name for name in members.columns if name in release.columns]
    return roles, hierarchies_from_manifest(manifest, members, release, shared), notes


def _find_roles(
    request: AuditTableRequest, manifest: Mapping[str, object], members: pl.DataFrame
) -> tuple[ColumnsByRole, list[Message]]:
    """From the request, the manifest, the side file, or the profile of the members."""
    from tokumei.tables.data.column_kinds import infer_schema
    from tokumei.tables.services.read_comparison import read_known_roles

    if request.qi is not None or request.sa is not None:
        return {"qi": request.qi, "sa": request.sa}, []
    named = manifest_roles(manifest)
    if named is not None:
        notes = [roles_source_note(f"{request.release}.manifest.json")]
        return {"qi": named[0], "sa": named[1]}, notes
    saved, notes = read_known_roles(request.members)
    if saved is not None:
        return {"qi": saved[0], "sa": saved[1]}, notes
    schema = infer_schema(members)
    return {"qi": schema.qi, "sa": schema.sa}, role_notes(schema, ("qi", "sa"))


@dataclass(frozen=True, kw_only=True)
class SplitTableRequest:
    """A table whose people are held out at random, by shares, before it is anonymized."""

    data: str
    control: float = 0.3
    reference: float = 0.2
    person: str | None = None
    seed: int | None = None
    sep: str | None = None
    encoding: str = "auto"


@dataclass(frozen=True, eq=False)
class SplitTable:
    """The parts by name, and how many rows name nobody."""

    parts: dict[str, Table]
    rows_without_person: int


def split_table(request: SplitTableRequest) -> SplitTable:
    """Read a table, and split its people at random."""
    from tokumei.files.reading import read_frame
    from tokumei.tables.audit.member_control_alignment import is_without_person, split_people

    frame = read_frame(request.data, sep=request.sep, encoding=request.encoding)
    parts = split_people(
        frame,
        control=request.control,
        reference=request.reference,
        person=request.person,
        seed=request.seed,
    )
    lost = 0 if request.person is None else int(is_without_person(frame[request.person]).sum())
    return SplitTable(parts, lost)

"""Roles and hierarchies of an audit: from options, the manifest, the side file, or a look."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import polars as pl

from tokumei.core.text import Text
from tokumei.tables.ask.inputs import manifest_roles, role_notes
from tokumei.tables.data.column_kinds import infer_schema
from tokumei.tables.hierarchies.released import hierarchies_of, read_manifest
from tokumei.tables.look.side_file import read_side_file, side_path

if TYPE_CHECKING:
    from tokumei.tables.ask.audit import AuditTable

Roles = dict[str, Sequence[str] | None]


def read_audit(
    asked: AuditTable, members: pl.DataFrame, release: pl.DataFrame
) -> tuple[Roles, Any, list[Text]]:
    """Roles of columns, hierarchies, and what to say of where they come from."""
    manifest = read_manifest(asked.release)
    roles, notes = _roles(asked, manifest, members)
    if asked.hierarchies is not None:
        return roles, asked.hierarchies, notes
    shared = [name for name in members.columns if name in release.columns]
    return roles, hierarchies_of(manifest, members, release, shared), notes


def _roles(
    asked: AuditTable, manifest: Mapping[str, Any], members: pl.DataFrame
) -> tuple[Roles, list[Text]]:
    if asked.qi is not None or asked.sa is not None:
        return {"qi": asked.qi, "sa": asked.sa}, []
    said = manifest_roles(manifest)
    if said is not None:
        return {"qi": said[0], "sa": said[1]}, [_from(f"{asked.release}.manifest.json")]
    place = side_path(asked.members)
    if place.is_file():
        columns = read_side_file(place)["columns"]
        by_fate = {
            role: [name for name, one in columns.items() if one.get("fate") == fate]
            for role, fate in (("qi", "generalize"), ("sa", "protect"))
        }
        return dict(by_fate), [_from(str(place))]
    schema = infer_schema(members)
    return {"qi": schema.qi, "sa": schema.sa}, role_notes(schema, "--qi, --sa")


def _from(place: str) -> Text:
    return Text(f"Roles from {place}", f"役割の読み込み元: {place}")

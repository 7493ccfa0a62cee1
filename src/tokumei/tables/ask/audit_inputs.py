"""Resolves the roles and hierarchies of what `tokumei audit` compares."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tokumei.core.text import Text
from tokumei.tables.services.read_comparison import Roles, manifest_roles, role_notes, roles_from

if TYPE_CHECKING:
    import polars as pl

    from tokumei.tables.ask.audit import AuditTable


def read_audit(
    asked: AuditTable, members: pl.DataFrame, release: pl.DataFrame
) -> tuple[Roles, Any, list[Text]]:
    """Roles of columns, hierarchies, and what to say of where they come from."""
    from tokumei.tables.hierarchies.released import hierarchies_of, read_manifest

    manifest = read_manifest(asked.release)
    roles, notes = _audit_roles(asked, manifest, members)
    if asked.hierarchies is not None:
        return roles, asked.hierarchies, notes
    shared = [name for name in members.columns if name in release.columns]
    return roles, hierarchies_of(manifest, members, release, shared), notes


def _audit_roles(
    asked: AuditTable, manifest: Mapping[str, Any], members: pl.DataFrame
) -> tuple[Roles, list[Text]]:
    """From options, the manifest, the side file, or a look."""
    from tokumei.tables.data.column_kinds import infer_schema
    from tokumei.tables.look.side_file import read_side_file, side_path

    if asked.qi is not None or asked.sa is not None:
        return {"qi": asked.qi, "sa": asked.sa}, []
    said = manifest_roles(manifest)
    if said is not None:
        return {"qi": said[0], "sa": said[1]}, [roles_from(f"{asked.release}.manifest.json")]
    place = side_path(asked.members)
    if place.is_file():
        columns = read_side_file(place)["columns"]
        qi, sa = (
            [name for name, one in columns.items() if one.get("fate") == fate]
            for fate in ("generalize", "protect")
        )
        return {"qi": qi, "sa": sa}, [roles_from(place)]
    schema = infer_schema(members)
    return {"qi": schema.qi, "sa": schema.sa}, role_notes(schema, ("qi", "sa"))

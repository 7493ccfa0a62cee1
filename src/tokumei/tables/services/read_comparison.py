"""Reads an original, a release and the link between them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from tokumei.core.errors import UsageError
from tokumei.core.messages import Message, join_messages
from tokumei.tables.data.reading import read_table
from tokumei.tables.data.schema import Role
from tokumei.tables.data.table import Table
from tokumei.tables.services.plan_table import role_notes

if TYPE_CHECKING:
    import numpy as np

    from tokumei.tables.data.comparison import Comparison

ColumnNames = Sequence[str] | None
ColumnsByRole = dict[str, ColumnNames]
PURCHASE_COLUMNS = ("customer", "day", "item", "price", "quantity")
"""The columns by which a purchase history is told from a table."""


def read_original(
    path: str,
    *,
    qi: ColumnNames,
    sa: ColumnNames,
    kinds: Mapping[str, str] | None = None,
    sep: str | None = None,
    encoding: str = "auto",
) -> tuple[Table, list[Message]]:
    """The file a release came from: as `anonymize` reads it, with what its side file says."""
    from tokumei.tables.services.read_table import open_table_file
    from tokumei.tables.services.requests import TableRequest

    request = TableRequest(
        data=path,
        qi=None if qi is None else tuple(qi),
        sa=None if sa is None else tuple(sa),
        kind=dict(kinds or {}),
        sep=sep,
        encoding=encoding,
    )
    completed_request, table_file, notes = open_table_file(request, settled=False)
    inferred = role_notes(table_file.table.schema) if completed_request.inferred else []
    notes = notes if qi is None and sa is None else []
    return table_file.table.with_text(), [*notes, *table_file.notes, *inferred]


def read_comparison(
    original: str,
    release: str,
    *,
    truth: str | np.ndarray | None,
    qi: ColumnNames,
    sa: ColumnNames,
    kinds: Mapping[str, str] | None = None,
    cross: ColumnNames = None,
    hierarchies: str | None = None,
    person: str | None = None,
    sep: str | None,
    encoding: str,
) -> tuple[Comparison, list[Message]]:
    """Original and release side by side, through the link file if there is one; and remarks.

    `person`: the column by which people are counted, "none" for rows; else as the manifest of the
    release says, or the side file of the original.
    """
    from tokumei.files.writing import read_link
    from tokumei.tables.comparisons import compare

    form: dict[str, Any] = {"sep": sep, "encoding": encoding}
    files = read_comparison_files(original, release, qi, sa, hierarchies, kinds=kinds, **form)
    source, public, column_hierarchies = files.source, files.public, files.hierarchies
    link = read_link(truth, public.rows, source.rows) if isinstance(truth, str) else truth
    person_column = _resolve_person_column(person, files, original)
    case = compare(
        source,
        public,
        link=link,
        cross=cross or (),
        hierarchies=column_hierarchies,
        person=person_column,
    )
    return case, [
        *files.notes,
        *_people_notes(case, person_column),
        *_text_comparison_note(case.text_sa),
        *_missing_cell_notes(case),
    ]


def _resolve_person_column(person: str | None, files: ComparisonFiles, original: str) -> str | None:
    if person == "none":
        return None
    if person is not None:
        files.source.schema.require([person], where=original)
        return person
    return files.person or read_saved_person(original)


def _people_notes(case: Comparison, person_column: str | None) -> list[Message]:
    if case.people is None:
        return []
    people = len(set(case.people.tolist()))
    if people == case.original.rows:
        return []
    note = Message(
        "People are counted by {column}: {people:,} in {rows:,} rows",
        column=person_column,
        people=people,
        rows=case.original.rows,
    )
    return [note]


def _missing_cell_notes(case: Comparison) -> list[Message]:
    """How many cells are missing in the columns that are compared."""
    from tokumei.tables.data.missing_counts import missing_by_column

    missing = missing_by_column(case, [*case.qi, *case.sa])
    listed = ", ".join(
        f"{counts.column} {counts.before:,} → {counts.after:,}" for counts in missing
    )
    note = Message("Missing cells, original → release: {counts}", counts=listed)
    return [note] if missing else []


class ComparisonFiles(NamedTuple):
    """A source and a release as they stand in files, what labels stand for, and remarks."""

    source: Table
    public: Table
    hierarchies: Any
    notes: list[Message]
    person: Any = None
    """How the manifest says that people are counted."""


def read_comparison_files(
    original: str,
    release: str,
    qi: ColumnNames,
    sa: ColumnNames,
    hierarchies: str | None,
    *,
    kinds: Mapping[str, str] | None = None,
    **form: Any,
) -> ComparisonFiles:
    """Both files, their roles given, or told by the manifest; the source spelled as the release."""
    from tokumei.tables.hierarchies.release_hierarchies import (
        hierarchies_from_manifest,
        read_manifest,
    )
    from tokumei.tables.profiling.retype_original import retype_original

    role_notes: list[Message] = []
    manifest = read_manifest(release)
    if qi is None and sa is None and (roles := manifest_roles(manifest)) is not None:
        qi, sa = roles
        role_notes = [roles_source_note(f"{release}.manifest.json")]
    source, notes = read_original(original, qi=qi, sa=sa, kinds=kinds, **form)
    qi, sa = source.schema.qi, source.schema.sa
    public = read_table(release, qi=qi, sa=sa, release=True, **form)
    _require_no_history(source, public)
    source, alignment_notes = retype_original(source, public, manifest.get("answers"))
    column_hierarchies: Any = hierarchies
    if column_hierarchies is None:
        column_hierarchies = hierarchies_from_manifest(manifest, source.frame, public.frame, qi)
    return ComparisonFiles(
        source,
        public,
        column_hierarchies,
        [*role_notes, *notes, *alignment_notes],
        manifest.get("person"),
    )


def _text_comparison_note(names: Sequence[str]) -> list[Message]:
    """What is said of sensitive columns that do not hold numbers."""
    columns = join_messages(names)
    note = Message("{columns}: not only numbers; compared as text", columns=columns)
    return [note] if names else []


def read_known_roles(path: str) -> tuple[tuple[list[str], list[str]] | None, list[Message]]:
    """QI and SA of a file as its manifest or its side file names them; None: nobody did."""
    from tokumei.tables.hierarchies.release_hierarchies import read_manifest
    from tokumei.tables.services.apply_saved_roles import apply_saved_roles
    from tokumei.tables.services.requests import TableRequest

    if (roles := manifest_roles(read_manifest(path))) is not None:
        return roles, [roles_source_note(f"{path}.manifest.json")]
    request, notes = apply_saved_roles(TableRequest(data=path), settled=False)
    if request.inferred:
        return None, []
    return ([*(request.qi or ())], [*(request.sa or ())]), notes


def roles_source_note(path: object) -> Message:
    """That roles were read somewhere."""
    return Message("Roles from {path}", path=path)


def read_saved_person(path: str) -> str | None:
    """The column by which the side file of a source counts people, if they have several rows."""
    from tokumei.tables.profiling.profile_file import (
        counted_person,
        profile_path,
        read_profile_file,
    )

    roles_path = profile_path(path)
    return counted_person(read_profile_file(roles_path)) if roles_path.is_file() else None


def manifest_roles(manifest: Mapping[str, Any]) -> tuple[list[str], list[str]] | None:
    """QI and SA as the manifest of a release names them; None if it does not."""
    columns = manifest.get("columns")
    if not isinstance(columns, dict):
        return None
    qi, sa = (
        [name for name, role in columns.items() if role == wanted_role]
        for wanted_role in (Role.QI, Role.SA)
    )
    return qi, sa


def _require_no_history(*tables: Table) -> None:
    """Fail on purchase histories, which are compared as such."""
    if all(set(PURCHASE_COLUMNS) <= {*table.schema.names} for table in tables):
        raise UsageError(
            "these are purchase histories, not tables; compare files without a header with the "
            "--format of histories, others in Python (tokumei.measure)"
        )

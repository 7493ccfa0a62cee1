"""Reading what commands on tables compare: an original, a release and the link between them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from tokumei.core.errors import UsageError
from tokumei.core.fields import field_name
from tokumei.core.text import Text
from tokumei.tables.data.reading import read_table
from tokumei.tables.data.schema import Role, Schema
from tokumei.tables.data.table import Table

if TYPE_CHECKING:
    import numpy as np

    from tokumei.tables.data.comparison import Comparison

Names = Sequence[str] | None
Roles = dict[str, Names]
PURCHASE = ("customer", "day", "item", "price", "quantity")
"""The columns by which a purchase history is told from a table."""


def read_original(
    path: str,
    *,
    qi: Names,
    sa: Names,
    kinds: Mapping[str, str] | None = None,
    sep: str | None = None,
    encoding: str = "auto",
) -> tuple[Table, list[Text]]:
    """The file a release came from: as `anonymize` reads it, with what its side file says."""
    from tokumei.tables.services.read_table import open_table_file
    from tokumei.tables.services.requests import TableRequest

    given = TableRequest(
        data=path,
        qi=None if qi is None else tuple(qi),
        sa=None if sa is None else tuple(sa),
        kind=dict(kinds or {}),
        sep=sep,
        encoding=encoding,
    )
    asked, read, notes = open_table_file(given, settled=False)
    inferred = role_notes(read.table.schema) if asked.inferred else []
    notes = notes if qi is None and sa is None else []
    return read.table.with_text(), [*notes, *read.notes, *inferred]


def role_notes(schema: Schema, fields: Sequence[str] = ("qi", "sa", "id")) -> list[Text]:
    """How every column was understood, and why; the fields change it."""
    options = ", ".join(map(field_name, fields))
    notes = [
        Text(f"Roles inferred (override with {options}):", f"推定した役割 ({options} で変更):")
    ]
    for column in schema.columns:
        role, kind = column.role.words, column.kind.words
        notes.append(
            Text(
                f"  {column.name}: {role.en}, {kind.en} ({column.reason.en})",
                f"  {column.name}: {role.ja}、{kind.ja} ({column.reason.ja})",
            )
        )
    return notes


def read_case(
    original: str,
    release: str,
    *,
    truth: str | np.ndarray | None,
    qi: Names,
    sa: Names,
    kinds: Mapping[str, str] | None = None,
    cross: Names = None,
    hierarchies: str | None = None,
    person: str | None = None,
    sep: str | None,
    encoding: str,
) -> tuple[Comparison, list[Text]]:
    """Original and release side by side, through the link file if there is one; and remarks.

    `person`: the column by which people are counted, "none" for rows; else as the manifest of the
    release says, or the side file of the original.
    """
    from tokumei.files.writing import read_link
    from tokumei.tables.comparing import compare

    form: dict[str, Any] = {"sep": sep, "encoding": encoding}
    sides = read_sides(original, release, qi, sa, hierarchies, kinds=kinds, **form)
    source, public, given = sides.source, sides.public, sides.hierarchies
    link = read_link(truth, public.rows, source.rows) if isinstance(truth, str) else truth
    who = _who(person, sides, original)
    case = compare(source, public, link=link, cross=cross or (), hierarchies=given, person=who)
    return case, [
        *sides.notes,
        *_people_notes(case, who),
        *_as_text(case.text_sa),
        *_gap_notes(case),
    ]


def _who(asked: str | None, sides: Sides, original: str) -> str | None:
    if asked == "none":
        return None
    if asked is not None:
        sides.source.schema.require([asked], where=original)
        return asked
    return sides.person or person_said(original)


def _people_notes(case: Comparison, who: str | None) -> list[Text]:
    if case.people is None:
        return []
    people = len(set(case.people.tolist()))
    if people == case.original.rows:
        return []
    said = Text(
        f"People are counted by {who}: {people:,} in {case.original.rows:,} rows",
        f"{who} で人数を数えます: {case.original.rows:,} 行に {people:,} 人",
    )
    return [said]


def _gap_notes(case: Comparison) -> list[Text]:
    """How many cells are missing in the columns that are compared."""
    from tokumei.tables.data.column_gaps import gaps_by_column

    found = gaps_by_column(case, [*case.qi, *case.sa])
    listed = ", ".join(f"{one.column} {one.before:,} → {one.after:,}" for one in found)
    said = Text(
        f"Missing cells, original → release: {listed}",
        f"欠損セル (元データ → 匿名加工データ): {listed}",
    )
    return [said] if found else []


class Sides(NamedTuple):
    """A source and a release as they stand in files, what labels stand for, and remarks."""

    source: Table
    public: Table
    hierarchies: Any
    notes: list[Text]
    person: Any = None
    """How the manifest says that people are counted."""


def read_sides(
    original: str,
    release: str,
    qi: Names,
    sa: Names,
    hierarchies: str | None,
    *,
    kinds: Mapping[str, str] | None = None,
    **form: Any,
) -> Sides:
    """Both files, their roles given, or told by the manifest; the source spelled as the release."""
    from tokumei.tables.hierarchies.released import hierarchies_of, read_manifest
    from tokumei.tables.look.as_released import as_released

    said: list[Text] = []
    manifest = read_manifest(release)
    if qi is None and sa is None and (roles := manifest_roles(manifest)) is not None:
        qi, sa = roles
        said = [roles_from(f"{release}.manifest.json")]
    source, notes = read_original(original, qi=qi, sa=sa, kinds=kinds, **form)
    qi, sa = source.schema.qi, source.schema.sa
    public = read_table(release, qi=qi, sa=sa, release=True, **form)
    _require_no_history(source, public)
    source, more = as_released(source, public, manifest.get("answers"))
    given: Any = hierarchies
    if given is None:
        given = hierarchies_of(manifest, source.frame, public.frame, qi)
    return Sides(source, public, given, [*said, *notes, *more], manifest.get("person"))


def _as_text(names: Sequence[str]) -> list[Text]:
    """What is said of sensitive columns that do not hold numbers."""
    listed = ", ".join(names)
    said = Text(
        f"{listed}: no numbers, or not only; compared as text",
        f"{listed}: 数値だけの列ではないため、文字列として比べます",
    )
    return [said] if names else []


def roles_said(path: str) -> tuple[tuple[list[str], list[str]] | None, list[Text]]:
    """QI and SA of a file as its manifest or its side file names them; None: nobody did."""
    from tokumei.tables.hierarchies.released import read_manifest
    from tokumei.tables.services.apply_saved_roles import apply_saved_roles
    from tokumei.tables.services.requests import TableRequest

    if (roles := manifest_roles(read_manifest(path))) is not None:
        return roles, [roles_from(f"{path}.manifest.json")]
    asked, notes = apply_saved_roles(TableRequest(data=path), settled=False)
    if asked.inferred:
        return None, []
    return ([*(asked.qi or ())], [*(asked.sa or ())]), notes


def roles_from(place: object) -> Text:
    """That roles were read somewhere."""
    return Text(f"Roles from {place}", f"役割の読み込み元: {place}")


def person_said(path: str) -> str | None:
    """The column that tells people apart, as the side file of a source names it."""
    from tokumei.tables.look.side_file import read_side_file, side_path

    place = side_path(path)
    return read_side_file(place)["person"] if place.is_file() else None


def manifest_roles(manifest: Mapping[str, Any]) -> tuple[list[str], list[str]] | None:
    """QI and SA as the manifest of a release names them; None if it does not."""
    columns = manifest.get("columns")
    if not isinstance(columns, dict):
        return None
    qi, sa = ([name for name, role in columns.items() if role == one] for one in (Role.QI, Role.SA))
    return qi, sa


def _require_no_history(*tables: Table) -> None:
    """Fail on purchase histories, which are compared as such."""
    if all(set(PURCHASE) <= {*table.schema.names} for table in tables):
        raise UsageError(
            "these are purchase histories, not tables; files without a header can be compared "
            "with the --format of histories, others in Python (tokumei.measure)",
            "これは表ではなく購買履歴です。見出しのないファイルは履歴の --format で、"
            "それ以外は Python (tokumei.measure) で比べられます",
        )

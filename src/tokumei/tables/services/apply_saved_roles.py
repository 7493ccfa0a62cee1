"""Applies the roles saved beside a source (`tokumei look --save`) to a request.

What the request says itself overrides the saved roles, and a note says so.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokumei.core.errors import ClaimError, Fault, UsageError
from tokumei.core.fields import field_name
from tokumei.core.text import Text

if TYPE_CHECKING:
    from tokumei.tables.services.requests import TableRequest

_COLUMN_FIELDS = ("id", "qi", "sa", "passed")
_FATES = {"drop": "id", "generalize": "qi", "protect": "sa"}


def apply_saved_roles(
    request: TableRequest, *, settled: bool = True
) -> tuple[TableRequest, list[Text]]:
    """Add roles, person and dialect from the side file to a request; return it with notes.

    Columns in doubt are refused unless nothing will be released (`settled=False`).
    """
    from tokumei.tables.look.side_file import read_side_file, side_path

    place = Path(request.roles_file) if request.roles_file else side_path(request.data)
    if request.no_roles and request.roles_file:
        raise UsageError(
            "--roles and --no-roles contradict each other", "--roles と --no-roles は両立しません"
        )
    if request.no_roles or not (request.roles_file or place.is_file()):
        return request, []
    content = read_side_file(place)
    dialect = content["dialect"] if isinstance(content["dialect"], dict) else {}
    if _is_plain(dialect):
        read_side_file(place, _names(request))
    columns, person = content["columns"], content["person"]
    reading = _dialect(dialect, request) | _days(content["answers"], request)
    if settled:
        columns, person = _answered(content, request)
        if not columns and person is None:
            return replace(request, **reading), []
    said = _said(columns, request, str(place) if settled else None) | reading
    if person is not None:
        said["id"] = tuple(name for name in said["id"] if name != person)
        said["person"] = person if request.counts_people else None
        said["id"] += () if said["person"] else (person,)
    over = [name for name in (*_COLUMN_FIELDS, "person") if getattr(request, name)]
    options = ", ".join(map(field_name, over))
    en = f"Roles from {place}" + (f"; columns named by {options} as said there" if over else "")
    ja = f"役割の読み込み元: {place}" + (f" ({options} で指定した列を除く)" if over else "")
    held = _unconsented(columns, request) if settled else []
    said["id"] += tuple(held)
    notes = [Text(en, ja), *([_held_back(held)] if held else [])]
    return replace(request, identifiers=request.id or (), **_joined(said, request)), notes


def _answered(content: dict[str, Any], request: TableRequest) -> tuple[dict[str, Any], str | None]:
    """The columns and the person to be taken from a side file, of which something is released.

    Without roles all of them: the profile proposed what would be inferred. Beside roles only what
    a person answered, because what the profile proposed is to change nothing.
    """
    from tokumei.tables.look.side_file import answered_person, counted_person, is_answered

    columns = content["columns"]
    if not request.inferred:
        answered = {name: one for name, one in columns.items() if is_answered(one)}
        return answered, answered_person(content)
    if request.answers == "defaults":
        columns = {
            name: {**one, "fate": "drop"} if one.get("fate") == "ask" else one
            for name, one in columns.items()
        }
    return columns, counted_person(content)


def _unconsented(columns: dict[str, Any], request: TableRequest) -> list[str]:
    """Columns that would pass, but nobody consented to it: neither there nor by an option."""
    if request.pass_rest:
        return []
    passing = (name for name, one in columns.items() if one["fate"] == "pass")
    return [n for n in passing if not columns[n].get("consent") and n not in _settled(request)]


def _held_back(names: list[str]) -> Text:
    listed = ", ".join(names)
    return Text(
        f"Not released, because nobody consented: {listed} ({field_name('passed')} with their "
        'names, or consent "named" in the side file, releases them)',
        f"同意がないため公開しない列: {listed} ({field_name('passed')} で列名を指定するか、"
        "サイドファイルの "
        'consent を "named" にすると公開します)',
    )


def _joined(said: dict[str, Any], request: TableRequest) -> dict[str, Any]:
    """What was said before, but for columns that an option names now.

    `--qi` and `--sa` name all such columns; `--id` and `--pass` add to what was said.
    """
    given = {name: getattr(request, name) or () for name in _COLUMN_FIELDS}
    given["id"] = request.dropped
    named = {column for columns in given.values() for column in columns}
    found = dict(said)
    for option, columns in given.items():
        replaced = option in ("qi", "sa") and columns
        before = () if replaced else (one for one in said[option] if one not in named)
        found[option] = (*before, *columns)
    if request.person or said.get("person") in named:
        found["person"] = request.person
    return found


def _names(request: TableRequest) -> list[str] | None:
    """The columns of the source, if they can be had without reading it whole."""
    from tokumei.files.containers import Format, format_of

    if request.engine == "spark" or format_of(request.data) is Format.XLSX:
        return None
    from tokumei.tables.engines.stream_files import open_stream

    return list(open_stream(request.data, sep=request.sep, encoding=request.encoding).names)


def _said(columns: dict[str, Any], request: TableRequest, place: str | None) -> dict[str, Any]:
    """Columns by option: what is dropped, generalized, protected, and passes by name.

    Questions that are open in the file `place` are faults; None: they may stay open.
    """
    from tokumei.tables.look.side_file import REST

    found: dict[str, list[str]] = {"id": [], "qi": [], "sa": [], "passed": []}
    faults = []
    for name, column in columns.items():
        fate = column.get("fate") if isinstance(column, dict) else None
        if fate in _FATES:
            found[_FATES[fate]].append(name)
        elif fate == "pass":
            found["passed"] += [name] if column.get("consent") not in (None, REST) else []
        elif fate != "ask":
            raise UsageError(
                f"{place}: column '{name}': fate is drop, generalize, protect, pass or ask",
                f"{place}: 列 '{name}': fate は drop, generalize, protect, pass, ask のどれかです",
            )
        elif place is not None and name not in _settled(request):
            faults.append(_open_question(name, place))
    if faults:
        raise ClaimError(
            f"{place}: some columns are still in doubt",
            f"{place}: 扱いの決まっていない列があります",
            faults=faults,
        )
    return {option: tuple(names) for option, names in found.items()}


def _settled(request: TableRequest) -> set[str]:
    """The columns that an option names."""
    return {
        *request.dropped,
        *(request.qi or ()),
        *(request.sa or ()),
        *request.passed,
        *request.scrub,
    }


def _open_question(name: str, place: str) -> Fault:
    return Fault(
        rule="unanswered",
        column=name,
        message=Text(
            f"'{name}' is in doubt: put drop, generalize or protect for ask in {place}, or pass "
            'with consent "named"',
            f"列 '{name}' の扱いが未定です。{place} の ask を drop・generalize・protect のいずれか"
            'にするか、pass とし consent を "named" にしてください',
        ),
    )


def _is_plain(dialect: dict[str, Any]) -> bool:
    """Whether the names stand in the first line of a text file."""
    return dialect.get("header_row") == 1 and dialect.get("sheet") is None


def _dialect(dialect: dict[str, Any], request: TableRequest) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if request.sep is None and isinstance(dialect.get("separator"), str):
        found["sep"] = dialect["separator"]
    if request.encoding == "auto" and isinstance(dialect.get("encoding"), str):
        found["encoding"] = dialect["encoding"]
    if not _is_plain(dialect):
        found["sheet"] = dialect.get("sheet")
        found["header_row"] = str(dialect.get("header_row") or "none")
    return found


def _days(answers: Any, request: TableRequest) -> dict[str, Any]:
    """How days are written, where no option says it."""
    from tokumei.tables.look.days import answered

    told = answered(answers)
    own = {"date_order": told.order or None, "two_digit_years": told.latest}
    return {name: value for name, value in own.items() if getattr(request, name) is None}

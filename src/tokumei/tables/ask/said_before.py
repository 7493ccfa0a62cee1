"""Roles that were said once: the side file of a source, which `tokumei look --save` writes.

It is read when it lies beside the data; options override it, and the command says so.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from tokumei.core.errors import ClaimError, Fault, UsageError
from tokumei.core.text import Text

if TYPE_CHECKING:
    from tokumei.tables.ask.table_file import TableFile

Asked = TypeVar("Asked", bound="TableFile")
_OPTIONS = {"id": "id", "qi": "qi", "sa": "sa", "passed": "pass"}
_FATES = {"drop": "id", "generalize": "qi", "protect": "sa"}


def with_side_file(asked: Asked, *, settled: bool = True) -> tuple[Asked, list[Text]]:
    """What is asked, with roles, person and dialect from the side file; and what to say of it.

    Unless it need not be `settled`, because nothing will be released, columns in doubt are refused.
    """
    from tokumei.tables.look.side_file import read_side_file, side_path

    place = Path(asked.roles_file) if asked.roles_file else side_path(asked.data)
    if asked.no_roles and asked.roles_file:
        raise UsageError(
            "--roles and --no-roles contradict each other", "--roles と --no-roles は両立しません"
        )
    if asked.no_roles or not (asked.roles_file or place.is_file()):
        return asked, []
    content = read_side_file(place)
    dialect = content["dialect"] if isinstance(content["dialect"], dict) else {}
    if _is_plain(dialect):
        read_side_file(place, _names(asked))
    said = _said(content["columns"], asked, str(place) if settled else None)
    said |= _dialect(dialect, asked) | _days(content["answers"], asked)
    person = content["person"]
    if person is not None:
        said["id"] = tuple(name for name in said["id"] if name != person)
        said["person"] = person if asked.counts_people else None
        said["id"] += () if said["person"] else (person,)
    over = [name for name in (*_OPTIONS, "person") if getattr(asked, name)]
    options = ", ".join(f"--{_OPTIONS.get(name, name)}" for name in over)
    en = f"Roles from {place}" + (f"; columns named by {options} as said there" if over else "")
    ja = f"役割の読み込み元: {place}" + (f" ({options} で指定した列を除く)" if over else "")
    held = _unconsented(content["columns"], asked) if settled else []
    said["id"] += tuple(held)
    notes = [Text(en, ja), *([_held_back(held)] if held else [])]
    return replace(asked, **_joined(said, asked)), notes


def _unconsented(columns: dict[str, Any], asked: TableFile) -> list[str]:
    """Columns that would pass, but nobody consented to it: neither there nor by an option."""
    if asked.pass_rest:
        return []
    passing = (name for name, one in columns.items() if one["fate"] == "pass")
    return [n for n in passing if not columns[n].get("consent") and n not in _settled(asked)]


def _held_back(names: list[str]) -> Text:
    listed = ", ".join(names)
    return Text(
        f"Not released, because nobody consented: {listed} (--pass with their names, or consent "
        '"named" in the side file, releases them)',
        f"同意がないため公開しない列: {listed} (--pass で列名を指定するか、サイドファイルの "
        'consent を "named" にすると公開します)',
    )


def _joined(said: dict[str, Any], asked: TableFile) -> dict[str, Any]:
    """What was said before, but for columns that an option names now.

    `--qi` and `--sa` name all such columns; `--id` and `--pass` add to what was said.
    """
    given = {name: getattr(asked, name) or () for name in _OPTIONS} | {"id": asked.dropped}
    named = {column for columns in given.values() for column in columns}
    found = dict(said)
    for option, columns in given.items():
        replaced = option in ("qi", "sa") and columns
        before = () if replaced else (one for one in said[option] if one not in named)
        found[option] = (*before, *columns)
    if asked.person or said.get("person") in named:
        found["person"] = asked.person
    return found


def _names(asked: TableFile) -> list[str] | None:
    """The columns of the source, if they can be had without reading it whole."""
    from tokumei.files.containers import Format, format_of

    if asked.engine == "spark" or format_of(asked.data) is Format.XLSX:
        return None
    from tokumei.tables.engines.stream_files import open_stream

    return list(open_stream(asked.data, sep=asked.sep, encoding=asked.encoding).names)


def _said(columns: dict[str, Any], asked: TableFile, place: str | None) -> dict[str, Any]:
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
        elif place is not None and name not in _settled(asked):
            faults.append(_open_question(name, place))
    if faults:
        raise ClaimError(
            f"{place}: some columns are still in doubt",
            f"{place}: 扱いの決まっていない列があります",
            faults=faults,
        )
    return {option: tuple(names) for option, names in found.items()}


def _settled(asked: TableFile) -> set[str]:
    """The columns that an option names."""
    return {*asked.dropped, *(asked.qi or ()), *(asked.sa or ()), *asked.passed, *asked.scrub}


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


def _dialect(dialect: dict[str, Any], asked: TableFile) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if asked.sep is None and isinstance(dialect.get("separator"), str):
        found["sep"] = dialect["separator"]
    if asked.encoding == "auto" and isinstance(dialect.get("encoding"), str):
        found["encoding"] = dialect["encoding"]
    if not _is_plain(dialect):
        found["sheet"] = dialect.get("sheet")
        found["header_row"] = str(dialect.get("header_row") or "none")
    return found


def _days(answers: Any, asked: TableFile) -> dict[str, Any]:
    """How days are written, where no option says it."""
    from tokumei.tables.look.days import answered

    told = answered(answers)
    own = {"date_order": told.order or None, "two_digit_years": told.latest}
    return {name: value for name, value in own.items() if getattr(asked, name) is None}

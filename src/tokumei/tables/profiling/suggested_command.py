"""Suggests the next command with the roles spelled out."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from pathlib import Path

from tokumei.core.option_parsing import join_names
from tokumei.core.parsing.dates import NO_PREFERENCES, DatePreferences
from tokumei.tables.profiling.detection.person_column import PersonColumn
from tokumei.tables.profiling.profile import ColumnProfile

_ROLE_OPTIONS = {"--id": "identifier", "--qi": "quasi", "--sa": "sensitive"}
_PURCHASE_TYPES: dict[str, tuple[str, ...]] = {
    "day": ("date", "datetime"),
    "item": ("item", "jan"),
    "price": ("price", "amount"),
    "quantity": ("quantity",),
}


_DEMOGRAPHIC_TYPES = {
    *("postal", "prefecture", "city", "country", "lat", "lon", "birth_date", "birth_year", "age"),
    *("sex", "marital", "education", "occupation", "organization", "race"),
}
"""What people are, not what they do: rows with it are a table, unless they tell of articles."""
_MAX_CATEGORIES = 20


def _find_purchase_columns(
    columns: Sequence[ColumnProfile], person: PersonColumn | None
) -> dict[str, str] | None:
    """The columns of a purchase history, the rest as further values; None: this is none."""
    if person is None or not person.several:
        return None
    purchase_columns = {"customer": person.column}
    usable = [c for c in columns if not re.search("[,=]", c.name) and not c.missing]
    for purchase_field, types in _PURCHASE_TYPES.items():
        matching_names = [column.name for column in usable if column.type in types]
        if matching_names:
            purchase_columns[purchase_field] = matching_names[0]
    is_history = "item" in purchase_columns or (
        len(purchase_columns) > 2 and not _DEMOGRAPHIC_TYPES & {c.type for c in columns}
    )
    if "day" not in purchase_columns or not is_history:
        return None
    value_names = [
        c.name for c in usable if c.name not in purchase_columns.values() and _is_generalizable(c)
    ]
    return purchase_columns | {f"value{number}": name for number, name in enumerate(value_names, 1)}


def _is_generalizable(column: ColumnProfile) -> bool:
    """Whether cells may be merged into intervals, or into sets that list a few of many."""
    if column.role not in ("quasi", "sensitive", "other") or column.fate in ("ask", "drop"):
        return False
    return column.kind in ("numeric", "date") or 1 < column.distinct <= _MAX_CATEGORIES


def quote_for_shell(text: str) -> str:
    """A word as a shell takes it; letters of any language need no quotation marks."""
    return text if re.fullmatch(r"[\w@%+=:,./-]+", text) else shlex.quote(text)


def format_column_option(option: str, *names: str) -> str:
    """An option that names columns, ready to paste; only `--person` takes its name as it is."""
    return f"{option} {quote_for_shell(names[0] if option == '--person' else join_names(names))}"


def suggest_command(
    file: str,
    columns: Sequence[ColumnProfile],
    person: PersonColumn | None,
    said: DatePreferences = NO_PREFERENCES,
    *,
    rows: int,
) -> str:
    """`tokumei anonymize table` with every column's role; what passes is left to consent.

    Purchases of people with several rows are a history: k people become alike as a whole. An
    identifier whose values repeat in the `rows` of the file counts people.
    """
    path = Path(file or "data.csv")
    date_options = [f"--date-order {said.order}"] if said.order else []
    if (purchases := _find_purchase_columns(columns, person)) is not None:
        column_mapping = ",".join(
            f"{purchase_field}={name}" for purchase_field, name in purchases.items()
        )
        files = (
            f"--{side} {quote_for_shell(f'{path.stem}-{side}.csv')}"
            for side in ("public", "secret")
        )
        data_options = (
            f"--data {quote_for_shell(str(path))} --columns {quote_for_shell(column_mapping)} --k 5"
        )
        return " ".join(
            ["tokumei anonymize history --format table", data_options, *date_options, *files]
        )
    parts = ["tokumei anonymize table", f"--data {quote_for_shell(str(path))}", "--k 5"]
    asked_names = [c.name for c in columns if c.fate == "ask"]
    repeating_names = (
        c.name
        for c in columns
        if (c.role == "identifier" or c.name in asked_names) and c.repeats_numbers(rows)
    )
    person_name = next(repeating_names, None) if person is None else person.column
    if person_name is not None:
        parts.append(format_column_option("--person", person_name))
        asked_names = [name for name in asked_names if name != person_name]
    empty_names = [c.name for c in columns if c.fate == "drop" and c.role in ("quasi", "sensitive")]
    for option, role in _ROLE_OPTIONS.items():
        names = [
            c.name
            for c in columns
            if c.role == role and c.name not in (*asked_names, *empty_names, person_name)
        ]
        names += [*asked_names, *empty_names] if option == "--id" else []
        if names:
            parts.append(format_column_option(option, *names))
    parts += date_options
    if said.latest is not None:
        parts.append(f"--two-digit-years {said.latest}")
    parts.append(f"--out {quote_for_shell(path.stem + '-release.csv')}")
    return " ".join(parts)

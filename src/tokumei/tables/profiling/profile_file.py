"""Saves a profile and a scenario beside their source as `FILE.tokumei.json`, without cell values.

It may be edited and committed; later commands read it when it lies beside the file.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from tokumei.core.errors import InputError
from tokumei.core.json_types import as_json_text
from tokumei.core.messages import SEMICOLON, Message, join_messages
from tokumei.files.file_formats import AnyPath, input_error, translate_read_errors

if TYPE_CHECKING:
    from tokumei.core.scenario import Scenario
    from tokumei.tables.profiling.profile import TableProfile

FORMAT_VERSION = 1
UNNAMED_CONSENT = "rest"
"""The consent of a column that passed beside columns with roles, because nothing spoke against it;
other than `named`, it does not let a column pass that identifies."""
PROPOSED = "proposed"
"""What the profile said, of a column and of the person: anything else is a person's answer."""
_REQUIRED_KEYS = {
    "version",
    "columns",
    "person",
    "dialect",
    "normalizations",
    "answers",
    "header_sha256",
}


def profile_path(path: AnyPath) -> Path:
    """Where the side file of a source lies."""
    return Path(f"{path}.tokumei.json")


def format_profile_file(
    profile: TableProfile,
    disabled_rules: Sequence[str] = (),
    answers: Mapping[str, object] | None = None,
) -> str:
    """The side file's text of a look."""
    columns = {
        column.name: {
            "role": column.role,
            "type": column.type,
            "kind": column.kind,
            "fate": column.fate,
            "consent": None,
            PROPOSED: column.fate,
        }
        for column in profile.columns
    }
    person = profile.person.column if profile.person else None
    text = format_profile_content(
        columns, person, profile.source.dialect, disabled_rules, dict(answers or {})
    )
    several = profile.person is not None and profile.person.several
    return as_json_text({**json.loads(text), PROPOSED: {"person": person, "several": several}})


def is_answered(column: Mapping[str, object]) -> bool:
    """Whether a person decided what becomes of a column: it is not as the profile proposed."""
    proposed = column.get(PROPOSED)
    return proposed is None or column.get("fate") != proposed or bool(column.get("consent"))


def answered_person(content: Mapping[str, object]) -> str | None:
    """The column that a person decided to count people by; None: nobody decided it."""
    proposed = content.get(PROPOSED)
    decided = not isinstance(proposed, dict) or content["person"] != proposed.get("person")
    return cast("str | None", content["person"]) if decided else None


def counted_person(content: Mapping[str, object]) -> str | None:
    """The column that people are counted by: as decided, or as proposed if people have several."""
    proposed = content.get(PROPOSED)
    several = isinstance(proposed, dict) and proposed.get("several")
    return cast("str | None", content["person"]) if several else answered_person(content)


def format_profile_content(
    columns: Mapping[str, object],
    person: str | None,
    dialect: Mapping[str, object],
    off: Collection[str],
    answers: Mapping[str, object],
) -> str:
    """The text that says so of a source's columns; rules that are `off` are not applied."""
    from tokumei.tables.profiling.normalization_rules import (
        NORMALIZATION_RULES,
        parse_disabled_rules,
    )

    disabled_rules = parse_disabled_rules(off)
    content = {
        "version": FORMAT_VERSION,
        "columns": columns,
        "person": person,
        "dialect": dialect,
        "normalizations": {rule: rule not in disabled_rules for rule in NORMALIZATION_RULES},
        "answers": answers,
        "header_sha256": hashlib.sha256("\n".join(columns).encode()).hexdigest(),
    }
    return as_json_text(content)


def with_scenario(text: str, scenario: Scenario | None) -> str:
    """The side file's text with the scenario under which releases of the source are judged."""
    if scenario is None:
        return text
    return as_json_text({**json.loads(text), "scenario": scenario.to_dict()})


def read_saved_scenario(path: AnyPath) -> Scenario | None:
    """The scenario in the side file of a source; None: nobody saved any."""
    roles_path = profile_path(path)
    if not roles_path.is_file():
        return None
    return scenario_of(read_profile_file(roles_path), roles_path)


def dropped_columns(path: AnyPath) -> list[str]:
    """The columns that the side file of a source drops; none without one."""
    roles_path = profile_path(path)
    if not roles_path.is_file():
        return []
    columns: Any = read_profile_file(roles_path)["columns"]
    return [name for name, column in columns.items() if column.get("fate") == "drop"]


def scenario_of(content: Mapping[str, object], path: AnyPath) -> Scenario | None:
    """The scenario in a side file's content; None: it has none."""
    from tokumei.core.scenario import Scenario

    saved = content.get("scenario")
    if saved is None:
        return None
    if not isinstance(saved, dict):
        raise _damaged_file_error(path)
    return Scenario.from_dict(saved)


def read_profile_file(path: AnyPath, names: Sequence[str] | None = None) -> dict[str, object]:
    """A side file's content; fails if it is damaged, of another version or of other columns."""
    with translate_read_errors(path):
        text = Path(path).read_text(encoding="utf-8", errors="replace")
    try:
        content = json.loads(text)
    except ValueError:
        raise _damaged_file_error(path) from None
    if not isinstance(content, dict) or not isinstance(content.get("columns"), dict):
        raise _damaged_file_error(path)
    if content.get("version") != FORMAT_VERSION:
        raise input_error(
            path,
            Message(
                "version {version}, but this program reads version {readable_version}",
                version=content.get("version"),
                readable_version=FORMAT_VERSION,
            ),
        )
    if _REQUIRED_KEYS - content.keys():
        raise _damaged_file_error(path)
    if names is not None:
        _require_same_columns(path, list(content["columns"]), list(names))
    return content


def _require_same_columns(path: AnyPath, file_columns: list[str], names: list[str]) -> None:
    if file_columns == names:
        return
    missing_names = [name for name in file_columns if name not in names]
    added_names = [name for name in names if name not in file_columns]
    missing, added = join_messages(missing_names), join_messages(added_names)
    differences = [
        *([Message("missing {columns}", columns=missing)] if missing_names else []),
        *([Message("new {columns}", columns=added)] if added_names else []),
    ]
    difference = join_messages(differences or [Message("another order")], SEMICOLON)
    raise input_error(
        path, Message("it describes other columns: {difference}", difference=difference)
    )


def _damaged_file_error(path: AnyPath) -> InputError:
    return input_error(path, Message("not a side file of Tokumei"))

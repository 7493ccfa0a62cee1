"""What is known of a source, said once: `FILE.tokumei.json` beside it, without any cell value.

It may be edited and committed; later commands read it when it lies beside the file.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokumei.core.errors import InputError
from tokumei.core.text import Text, as_json_text
from tokumei.files.containers import AnyPath, input_error, reading

if TYPE_CHECKING:
    from tokumei.tables.look.result import Look

VERSION = 1
REST = "rest"
"""The consent of a column that passed beside columns with roles, because nothing spoke against it;
other than `named`, it does not let a column pass that identifies."""
PROPOSED = "proposed"
"""What the profile said, of a column and of the person: anything else is a person's answer."""
_KEYS = {"version", "columns", "person", "dialect", "normalizations", "answers", "header_sha256"}


def side_path(path: AnyPath) -> Path:
    """Where the side file of a source lies."""
    return Path(f"{path}.tokumei.json")


def side_text(
    found: Look, off: Sequence[str] = (), answers: Mapping[str, Any] | None = None
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
        for column in found.columns
    }
    person = found.person.column if found.person else None
    text = written(columns, person, found.source.dialect, off, dict(answers or {}))
    several = found.person is not None and found.person.several
    return as_json_text({**json.loads(text), PROPOSED: {"person": person, "several": several}})


def is_answered(column: Mapping[str, Any]) -> bool:
    """Whether a person decided what becomes of a column: it is not as the profile proposed."""
    proposed = column.get(PROPOSED)
    return proposed is None or column.get("fate") != proposed or bool(column.get("consent"))


def answered_person(content: Mapping[str, Any]) -> str | None:
    """The column that a person decided to count people by; None: nobody decided it."""
    proposed = content.get(PROPOSED)
    decided = not isinstance(proposed, dict) or content["person"] != proposed.get("person")
    return content["person"] if decided else None


def counted_person(content: Mapping[str, Any]) -> str | None:
    """The column that people are counted by: as decided, or as proposed if people have several."""
    proposed = content.get(PROPOSED)
    several = isinstance(proposed, dict) and proposed.get("several")
    return content["person"] if several else answered_person(content)


def written(
    columns: Mapping[str, Any],
    person: str | None,
    dialect: Mapping[str, Any],
    off: Collection[str],
    answers: Mapping[str, Any],
) -> str:
    """The text that says so of a source's columns; rules that are `off` are not applied."""
    from tokumei.tables.look.rules import RULES, switched_off

    unused = switched_off(off)
    content = {
        "version": VERSION,
        "columns": columns,
        "person": person,
        "dialect": dialect,
        "normalizations": {rule: rule not in unused for rule in RULES},
        "answers": answers,
        "header_sha256": hashlib.sha256("\n".join(columns).encode()).hexdigest(),
    }
    return as_json_text(content)


def read_side_file(path: AnyPath, names: Sequence[str] | None = None) -> dict[str, Any]:
    """A side file's content; fails if it is damaged, of another version or of other columns."""
    with reading(path):
        text = Path(path).read_text(encoding="utf-8", errors="replace")
    try:
        content = json.loads(text)
    except ValueError:
        raise _damaged(path) from None
    if not isinstance(content, dict) or not isinstance(content.get("columns"), dict):
        raise _damaged(path)
    if content.get("version") != VERSION:
        raise input_error(
            path,
            Text(
                f"version {content.get('version')}, but this program reads version {VERSION}",
                f"版 {content.get('version')} です。このプログラムは版 {VERSION} を読みます",
            ),
        )
    if _KEYS - content.keys():
        raise _damaged(path)
    if names is not None:
        _require_same(path, list(content["columns"]), list(names))
    return content


def _require_same(path: AnyPath, known: list[str], names: list[str]) -> None:
    if known == names:
        return
    gone = [name for name in known if name not in names]
    new = [name for name in names if name not in known]
    listed = (
        (gone, Text(f"missing {', '.join(gone)}", f"ない列 {', '.join(gone)}")),
        (new, Text(f"new {', '.join(new)}", f"新しい列 {', '.join(new)}")),
    )
    told = [words for some, words in listed if some]
    en, ja = "; ".join(one.en for one in told), "、".join(one.ja for one in told)
    raise input_error(
        path,
        Text(
            f"it describes other columns: {en or 'another order'}",
            f"別の列についてのものです: {ja or '順序が違います'}",
        ),
    )


def _damaged(path: AnyPath) -> InputError:
    return input_error(
        path, Text("not a side file of Tokumei", "Tokumei の付属ファイルではありません")
    )

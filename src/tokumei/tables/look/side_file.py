"""What is known of a source, said once: `FILE.tokumei.json` beside it, without any cell value.

It may be edited and committed; later commands read it when it lies beside the file.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
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
_KEYS = {"version", "columns", "person", "dialect", "normalizations", "answers", "header_sha256"}


def side_path(path: AnyPath) -> Path:
    """Where the side file of a source lies."""
    return Path(f"{path}.tokumei.json")


def side_text(
    found: Look, off: Sequence[str] = (), answers: Mapping[str, Any] | None = None
) -> str:
    """The side file's text."""
    from tokumei.tables.look.rules import RULES

    source = found.source
    content = {
        "version": VERSION,
        "columns": {
            column.name: {
                "role": column.role,
                "type": column.type,
                "kind": column.kind,
                "fate": column.fate,
                "consent": None,
            }
            for column in found.columns
        },
        "person": found.person.column if found.person else None,
        "dialect": {
            "encoding": source.encoding,
            "separator": source.separator,
            "sheet": source.sheet,
            "header_row": source.header_row,
            "skipped": {"above": source.above, "below": source.below, "empty": source.empty},
        },
        "normalizations": {rule: rule not in off for rule in RULES},
        "answers": dict(answers or {}),
        "header_sha256": header_sha256([column.name for column in found.columns]),
    }
    return as_json_text(content)


def header_sha256(names: Sequence[str]) -> str:
    """The hash of a table's column names in their order; of nothing else."""
    return hashlib.sha256("\n".join(names).encode()).hexdigest()


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
    en = "; ".join(
        part
        for part in (
            f"missing {', '.join(gone)}" if gone else "",
            f"new {', '.join(new)}" if new else "",
        )
        if part
    )
    ja = "、".join(
        part
        for part in (
            f"ない列 {', '.join(gone)}" if gone else "",
            f"新しい列 {', '.join(new)}" if new else "",
        )
        if part
    )
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

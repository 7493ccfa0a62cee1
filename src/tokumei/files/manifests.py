"""What lies beside a public file and tells of it to whoever has it: its manifest."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tokumei.core.errors import InputError
from tokumei.files.containers import AnyPath


def read_manifest(public: AnyPath) -> dict[str, Any]:
    """The manifest of a public file; nothing if none lies beside it."""
    path = Path(f"{public}.manifest.json")
    if not path.is_file():
        return {}
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        raise damaged_manifest(path) from None
    if not isinstance(found, dict):
        raise damaged_manifest(path)
    return found


def damaged_manifest(path: AnyPath) -> InputError:
    """What to say of a manifest that is none."""
    return InputError(f"{path}: no readable manifest", f"{path}: マニフェストとして読めません")

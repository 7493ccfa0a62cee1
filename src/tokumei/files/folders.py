"""Folders for results."""

from __future__ import annotations

from pathlib import Path

from tokumei.core.errors import OutputError
from tokumei.files.containers import AnyPath


def make_folder(path: AnyPath) -> Path:
    """The folder, made if it is not there yet; OutputError if it cannot be."""
    folder = Path(path)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as err:
        raise OutputError(
            f"{path}: {err.strerror}", f"{path}: 作成できません ({err.strerror})"
        ) from None
    return folder

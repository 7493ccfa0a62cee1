"""Folders for results."""

from __future__ import annotations

from pathlib import Path

from tokumei.data.files.formats import AnyPath
from tokumei.errors import OutputError
from tokumei.text import Text


def make_folder(path: AnyPath) -> Path:
    """The folder, made if it is not there yet; OutputError if it cannot be."""
    folder = Path(path)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as err:
        raise OutputError(
            Text(f"{path}: {err.strerror}", f"{path}: 作成できません ({err.strerror})")
        ) from None
    return folder

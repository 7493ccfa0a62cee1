"""Folders for results."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from tokumei.core.errors import OutputError, UsageError
from tokumei.core.text import Text
from tokumei.files.containers import AnyPath


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


def spare_sources(sources: Iterable[AnyPath | None], results: Iterable[AnyPath]) -> None:
    """Fail if a file that was read would be replaced by a result."""
    written = {Path(result).resolve() for result in results}
    for source in sources:
        if source is not None and Path(source).resolve() in written:
            raise UsageError(
                Text(
                    f"{source} would be replaced by a result; choose another folder",
                    f"{source} が結果で上書きされます。別のフォルダにしてください",
                )
            )

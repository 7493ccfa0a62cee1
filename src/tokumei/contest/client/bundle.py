"""A contest's folder as the zip that a server takes."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import Any

import yaml

from tokumei.core.errors import InputError

FILE = "contest.yaml"


def zip_of_contest(source: Path) -> tuple[str, bytes]:
    """Name and bytes: a zip as it is; of a folder the files that contest.yaml names."""
    try:
        if source.is_dir():
            return f"{source.resolve().name}.zip", _packed(source)
        return source.name, source.read_bytes()
    except OSError as error:
        raise InputError(f"{source}: {error.strerror}", f"{source}: {error.strerror}") from None


def _packed(folder: Path) -> bytes:
    if not (folder / FILE).is_file():
        raise InputError(f"there is no {FILE} in {folder}", f"{folder} に {FILE} がありません")
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in [FILE, *_named(folder / FILE)]:
            if (folder / name).is_file():
                archive.write(folder / name, name)
    return packed.getvalue()


def _named(path: Path) -> list[str]:
    """The files that contest.yaml names; what is wrong with it the server tells."""
    try:
        plain: Any = yaml.safe_load(path.read_bytes())
    except yaml.YAMLError:
        return []
    data = plain.get("data") if isinstance(plain, dict) else None
    if not isinstance(data, dict):
        return []
    return [name for name in [*data.values(), plain.get("extra")] if isinstance(name, str)]

"""A contest's folder below the home: only the files that contest.yaml names are kept."""

from __future__ import annotations

import shutil
from pathlib import Path

from tokumei.contest.desk.place import Place
from tokumei.contest.spec.archives import archive_files
from tokumei.contest.spec.folder import FILE, parse_contest
from tokumei.contest.spec.model import ContestSpec
from tokumei.contest.store.files import write_file
from tokumei.contest.store.ids import new_id
from tokumei.core.text import Text
from tokumei.http.refusals import Wrong

MOST_BYTES = 200 << 20
"""Of all files of a contest together."""


def keep_folder(place: Place, source: Path) -> str:
    """Copy a contest from a folder or a zip; the new folder's name."""
    files = _files(source)
    spec = _spec(files)
    folder = f"{spec.slug}-{new_id()[:6]}"
    (place.home.contests / folder).mkdir()
    for name in _named(spec):
        if name in files:
            write_file(place.home.contests / folder / name, files[name])
    return folder


def open_files(spec: ContestSpec) -> dict[str, str]:
    """Key → name of all files that members get: what they need to check their files at home."""
    extra = {} if spec.extra is None else {"extra": spec.extra}
    data = {key: name for key, name in spec.data.items() if key not in spec.secret_data}
    return {FILE: FILE} | data | extra


def remove_folder(place: Place, folder: str) -> None:
    """Remove a folder that no contest came of."""
    shutil.rmtree(place.home.contests / folder)


def _files(source: Path) -> dict[str, bytes]:
    if not source.is_dir():
        return archive_files(source.read_bytes(), max_bytes=MOST_BYTES)
    try:
        spec = _spec({FILE: (source / FILE).read_bytes()})
    except FileNotFoundError:
        raise _no_file() from None
    named = [source / name for name in _named(spec)]
    return {path.name: path.read_bytes() for path in named if path.is_file()}


def _spec(files: dict[str, bytes]) -> ContestSpec:
    if FILE not in files:
        raise _no_file()
    try:
        return parse_contest(files[FILE].decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise Wrong(Text(f"{FILE} must be UTF-8", f"{FILE} は UTF-8 にしてください")) from None


def _named(spec: ContestSpec) -> list[str]:
    extra = [spec.extra] if spec.extra is not None else []
    return [FILE, *spec.data.values(), *extra]


def _no_file() -> Wrong:
    return Wrong(Text(f"there is no {FILE} in it", f"{FILE} がありません"))

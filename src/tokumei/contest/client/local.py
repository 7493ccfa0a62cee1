"""What the client has on this machine: tokens by server, and a contest's folder to be sent.

    keep_token("https://contest.example", "tkm_…")
    token_for("https://contest.example")        # TOKUMEI_TOKEN wins
    zip_of_contest(Path("spring"))              # name and bytes
    zip_of_release(Path("Y.csv"), Path("link.csv"))

Tokens are in a file that only its owner can read.
"""

from __future__ import annotations

import io
import json
import os
import zipfile
from pathlib import Path
from typing import Any

import yaml

from tokumei.core.errors import InputError, OutputError

VARIABLE = "TOKUMEI_TOKEN"
FILE = "contest.yaml"
RELEASE, LINK = "A.csv", "link.csv"


def keys_path() -> Path:
    """The file, in the user's folder of settings."""
    base = os.environ.get("XDG_CONFIG_HOME") or str(Path.home() / ".config")
    return Path(base) / "tokumei" / "contest-tokens.json"


def token_for(server: str) -> str | None:
    """The token for a server; None if there is none."""
    return os.environ.get(VARIABLE) or _kept().get(server.rstrip("/"))


def keep_token(server: str, token: str) -> Path:
    """Keep a token; the file's path."""
    path = keys_path()
    kept = _kept() | {server.rstrip("/"): token}
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            json.dump(kept, stream, indent=2)
        draft.replace(path)
    except OSError as error:
        reason = f"{path}: {error.strerror}"
        raise OutputError(
            f"the token was not saved: {reason}", f"トークンを保存できません: {reason}"
        ) from None
    return path


def _kept() -> dict[str, str]:
    path = keys_path()
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError):
        found = None
    if not isinstance(found, dict) or not all(isinstance(value, str) for value in found.values()):
        raise InputError(f"{path} is not a file of tokens", f"{path} を読み取れません")
    return found


def zip_of_contest(source: Path) -> tuple[str, bytes]:
    """Name and bytes: a zip as it is; of a folder the files that contest.yaml names."""
    try:
        if source.is_dir():
            return f"{source.resolve().name}.zip", _packed(source)
        return source.name, source.read_bytes()
    except OSError as error:
        raise InputError(f"{source}: {error.strerror}", f"{source}: {error.strerror}") from None


def zip_of_release(release: Path, link: Path | None) -> tuple[str, bytes]:
    """Name and bytes: a release as it is, or in a zip with the link beside it."""
    try:
        if link is None:
            return release.name, release.read_bytes()
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(RELEASE, release.read_bytes())
            archive.writestr(LINK, link.read_bytes())
        return f"{release.stem}.zip", packed.getvalue()
    except OSError as error:
        reason = f"{error.filename}: {error.strerror}"
        raise InputError(reason, reason) from None


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

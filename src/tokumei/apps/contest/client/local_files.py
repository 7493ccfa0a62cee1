"""Stores tokens by server on this machine, and packs contest folders and releases.

    save_token("https://contest.example", "tkm_…")
    find_token("https://contest.example")        # TOKUMEI_TOKEN wins
    pack_contest(Path("spring"))              # name and bytes
    pack_release(Path("Y.csv"), Path("link.csv"))

Tokens are in a file that only its owner can read.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import yaml

from tokumei.core.error_translation import translate_system_error
from tokumei.core.errors import InputError, OutputError
from tokumei.files.archives import pack_archive

TOKEN_VARIABLE = "TOKUMEI_TOKEN"
CONTEST_FILE = "contest.yaml"
RELEASE_NAME, LINK_NAME = "A.csv", "link.csv"


def token_file_path() -> Path:
    """The file, in the user's folder of settings."""
    base = os.environ.get("XDG_CONFIG_HOME") or str(Path.home() / ".config")
    return Path(base) / "tokumei" / "contest-tokens.json"


def find_token(server: str) -> str | None:
    """The token for a server; None if there is none."""
    return os.environ.get(TOKEN_VARIABLE) or _load_tokens().get(server.rstrip("/"))


def save_token(server: str, token: str) -> Path:
    """Keep a token; the file's path."""
    path = token_file_path()
    tokens = _load_tokens() | {server.rstrip("/"): token}
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            json.dump(tokens, stream, indent=2)
        draft.replace(path)
    except OSError as error:
        reason = f"{path}: {error.strerror}"
        raise OutputError("the token was not saved: {reason}", reason=reason) from None
    return path


def _load_tokens() -> dict[str, str]:
    path = token_file_path()
    try:
        tokens = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError):
        tokens = None
    if not isinstance(tokens, dict) or not all(isinstance(value, str) for value in tokens.values()):
        raise InputError("{path} is not a file of tokens", path=path)
    return tokens


def pack_contest(source: Path) -> tuple[str, bytes]:
    """Name and bytes: a zip as it is; of a folder the files that contest.yaml names."""
    try:
        if source.is_dir():
            return f"{source.resolve().name}.zip", _zip_contest_folder(source)
        return source.name, source.read_bytes()
    except OSError as error:
        reason = translate_system_error(error)
        raise InputError("{path}: {reason}", path=source, reason=reason) from None


def pack_release(release: Path, link: Path | None) -> tuple[str, bytes]:
    """Name and bytes: a release as it is, or in a zip with the link beside it."""
    try:
        if link is None:
            return release.name, release.read_bytes()
        members = {RELEASE_NAME: release.read_bytes(), LINK_NAME: link.read_bytes()}
        return f"{release.stem}.zip", pack_archive(members)
    except OSError as error:
        reason = translate_system_error(error)
        raise InputError("{path}: {reason}", path=error.filename, reason=reason) from None


def _zip_contest_folder(folder: Path) -> bytes:
    if not (folder / CONTEST_FILE).is_file():
        raise InputError("there is no {file} in {folder}", file=CONTEST_FILE, folder=folder)
    names = [CONTEST_FILE, *_named_files(folder / CONTEST_FILE)]
    return pack_archive(
        {name: (folder / name).read_bytes() for name in names if (folder / name).is_file()}
    )


def _named_files(path: Path) -> list[str]:
    """The files that contest.yaml names; what is wrong with it the server tells."""
    try:
        contest: object = yaml.safe_load(path.read_bytes())
    except yaml.YAMLError:
        return []
    if not isinstance(contest, dict) or not isinstance(data := contest.get("data"), dict):
        return []
    return [name for name in [*data.values(), contest.get("extra")] if isinstance(name, str)]

"""A server's folder, and how it is run.

    prepare_home(path)                     # folders, key and tables; again: nothing changes
    home = open_home(path)
    home.files, home.inbox, home.contests, home.key(), home.database()
    home.vault()                           # workers only
    settings_of(path, port=9000).database  # sqlite:////…/database/store.sqlite

    HOME/
      server.yaml           settings, optional
      contests/<folder>/    contest.yaml, data, the organiser's own Python file
      database/             store.sqlite, if no other database is set
      files/                public files by content (released rows)
      inbox/                uploads until a worker takes them
      vault/                0700: uploads, truth, salts
      key                   0600: signs cookies

Of settings a later one wins: defaults, the file, TOKUMEI_DATABASE_URL, what is given (not None).
"""

from __future__ import annotations

import os
import secrets
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from tokumei.contest.store.database import Database, open_database
from tokumei.contest.store.files import FileStore, Inbox, write_file
from tokumei.contest.store.vault import Vault
from tokumei.core.errors import Fault, InputError, UsageError
from tokumei.core.text import Text
from tokumei.core.yaml_models import load_yaml

FILE_NAME = "server.yaml"
DATABASE_VARIABLE = "TOKUMEI_DATABASE_URL"
VAULT = "vault"
_FOLDERS = ("contests", "database", "files", "inbox", "scratch")
KEY_BYTES = 32
SHARED = 0o770
"""Mode of folders, less the umask: pages and workers may be two users of one group."""


class Settings(BaseModel):
    """All that can be set."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    database: str = ""
    """An SQLAlchemy URL; empty: database/store.sqlite in the home."""
    host: str = "127.0.0.1"
    port: int = Field(default=8000, ge=0, le=65535)
    public_url: str | None = Field(default=None, pattern=r"^https?://[^/\s]+$")
    """Where people reach it, if a proxy stands before it; https (the default): Secure cookies."""
    trusted_proxies: tuple[str, ...] = ()
    """Addresses of proxies whose X-Forwarded-For is believed."""
    workers: int = Field(default=1, ge=0, le=64)
    checkers: int = Field(default=1, ge=1, le=16)
    """Processes that check uploads while their sender waits."""
    check_seconds: float = Field(default=20, gt=0)
    """How long a sender waits for the check; then the worker does it."""
    lease_seconds: int = Field(default=30, ge=3)

    @property
    def https(self) -> bool:
        """Whether people reach the server by https alone."""
        return (self.public_url or "").startswith("https:")

    @field_validator("public_url", mode="before")
    @classmethod
    def _with_scheme(cls, given: object) -> object:
        return f"https://{given}" if isinstance(given, str) and "://" not in given else given


def settings_of(home: Path, **given: Any) -> Settings:
    """The settings of a home; what is given and not None wins."""
    found = _from_file(home / FILE_NAME)
    if os.environ.get(DATABASE_VARIABLE):
        found["database"] = os.environ[DATABASE_VARIABLE]
    found |= {name: value for name, value in given.items() if value is not None}
    try:
        settings = Settings.model_validate(found)
    except ValidationError as error:
        raise _unusable(home / FILE_NAME, error) from None
    if settings.database:
        return settings
    # In a folder of its own: a process that gave up the vault may still make files beside it.
    path = home.resolve() / "database" / "store.sqlite"
    return settings.model_copy(update={"database": f"sqlite:///{path}"})


def _from_file(path: Path) -> dict[str, Any]:
    try:
        found = load_yaml(path.read_text(encoding="utf-8"), where=str(path))
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as error:
        reason = str(error).splitlines()[0]
        raise InputError(
            f"{path} cannot be read: {reason}", f"{path} を読めません: {reason}"
        ) from None
    if not isinstance(found, dict | None):
        raise InputError(
            f"{path} must be lines of name: value", f"{path} は「名前: 値」の行で書きます"
        )
    return found or {}


def _unusable(path: Path, error: ValidationError) -> InputError:
    faults = [
        Fault(
            rule="server-settings",
            column=(name := ".".join(map(str, fault["loc"]))),
            message=Text(f"{name}: {fault['msg']}", f"{name}: {fault['msg']}"),
        )
        for fault in error.errors()
    ]
    return InputError(
        f"{path}: settings cannot be used", f"{path}: 設定に誤りがあります", faults=faults
    )


@dataclass(frozen=True)
class Home:
    """An open home."""

    path: Path
    settings: Settings

    @property
    def contests(self) -> Path:
        """The folder of contests."""
        return self.path / "contests"

    @property
    def files(self) -> FileStore:
        """Public files."""
        return FileStore(self.path / "files")

    @property
    def attached(self) -> FileStore:
        """Files beside contests' texts; no contest's folder has such a name."""
        return FileStore(self.contests / "attached.files")

    @property
    def inbox(self) -> Inbox:
        """Uploads that just came."""
        return Inbox(self.path / "inbox")

    def vault(self) -> Vault:
        """What only workers open."""
        return Vault.open(self.path / VAULT)

    def key(self) -> bytes:
        """The secret that signs cookies."""
        return bytes.fromhex((self.path / "key").read_text(encoding="ascii"))

    def beat(self, worker: str) -> None:
        """Give a sign of life of a worker, which pages can see."""
        self._alive(worker).touch()

    def end(self, worker: str) -> None:
        """Take it back, at a proper end."""
        self._alive(worker).unlink(missing_ok=True)

    def _alive(self, worker: str) -> Path:
        return self.path / "scratch" / f"{worker.replace('/', '-')}.alive"

    def workers_alive(self, *, within: float) -> int:
        """How many workers gave a sign in the last seconds."""
        alive = 0
        for path in (self.path / "scratch").glob("*.alive"):
            with suppress(FileNotFoundError):
                alive += time.time() - path.stat().st_mtime <= within
        return alive

    def database(self) -> Database:
        """The database, opened anew, its tables up to date."""
        return open_database(self.settings.database)


def prepare_home(path: Path, settings: Settings | None = None) -> Home:
    """Make what is missing of a home."""
    path = path.resolve()
    path.mkdir(parents=True, exist_ok=True, mode=SHARED)
    for folder in _FOLDERS:
        (path / folder).mkdir(exist_ok=True, mode=SHARED)
    if not (path / VAULT).exists():  # else it may be another user's
        Vault.open(path / VAULT)
    if not (path / "key").exists():
        write_file(path / "key", secrets.token_hex(KEY_BYTES).encode(), secret=True)
    home = Home(path, settings or settings_of(path))
    home.database().close()
    return home


def open_home(path: Path, settings: Settings | None = None) -> Home:
    """A home that `prepare_home` made."""
    path = path.resolve()
    if not (path / "key").is_file():
        raise UsageError(
            f"{path} is not a contest server's folder; `tokumei contest serve` makes one",
            f"{path} はコンテストサーバーのフォルダではありません。"
            "`tokumei contest serve` で作られます",
        )
    return Home(path, settings or settings_of(path))

"""A server's home folder and its settings.

    prepare_home(path)                     # folders, key and tables; again: nothing changes
    home = open_home(path)
    home.files, home.inbox, home.contests, home.key(), home.database()
    home.vault()                           # workers only
    load_settings(path, port=9000).database  # sqlite:////…/database/store.sqlite

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

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from tokumei.apps.contest.spec.problems import describe_problem
from tokumei.apps.contest.store.database import Database, open_database
from tokumei.apps.contest.store.file_store import FileStore, Inbox, write_file
from tokumei.apps.contest.store.vault import Vault
from tokumei.core.errors import InputError, UsageError, Violation
from tokumei.core.yaml_models import load_yaml

SETTINGS_FILE = "server.yaml"
DATABASE_VARIABLE = "TOKUMEI_DATABASE_URL"
VAULT_FOLDER = "vault"
_HOME_FOLDERS = ("contests", "database", "files", "inbox", "scratch")
KEY_BYTES = 32
SHARED_MODE = 0o770
"""Mode of folders, less the umask: pages and workers may be two users of one group."""


class ServerSettings(BaseModel):
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
    def _add_https_scheme(cls, given: object) -> object:
        return f"https://{given}" if isinstance(given, str) and "://" not in given else given


def load_settings(home: Path, **overrides: object) -> ServerSettings:
    """The settings of a home; what is given and not None wins."""
    values = _read_settings_file(home / SETTINGS_FILE)
    if os.environ.get(DATABASE_VARIABLE):
        values["database"] = os.environ[DATABASE_VARIABLE]
    values |= {name: value for name, value in overrides.items() if value is not None}
    try:
        settings = ServerSettings.model_validate(values)
    except ValidationError as error:
        raise _settings_error(home / SETTINGS_FILE, error) from None
    if settings.database:
        return settings
    # In a folder of its own: a process that gave up the vault may still make files beside it.
    path = home.resolve() / "database" / "store.sqlite"
    return settings.model_copy(update={"database": f"sqlite:///{path}"})


def _read_settings_file(path: Path) -> dict[str, object]:
    try:
        values = load_yaml(path.read_text(encoding="utf-8"), where=str(path))
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as error:
        reason = str(error).splitlines()[0]
        raise InputError("{path} cannot be read: {reason}", path=path, reason=reason) from None
    if not isinstance(values, dict | None):
        raise InputError("every line of {path} must have the form name: value", path=path)
    return values or {}


def _settings_error(path: Path, error: ValidationError) -> InputError:
    violations = [
        Violation(
            rule="server-settings",
            column=(name := ".".join(map(str, problem["loc"]))),
            message=describe_problem(name, problem),
        )
        for problem in error.errors()
    ]
    return InputError("{path}: settings cannot be used", faults=violations, path=path)


@dataclass(frozen=True)
class ContestHome:
    """An open home."""

    path: Path
    settings: ServerSettings

    @property
    def contests(self) -> Path:
        """The folder of contests."""
        return self.path / "contests"

    @property
    def files(self) -> FileStore:
        """Public files."""
        return FileStore(self.path / "files")

    @property
    def attachment_files(self) -> FileStore:
        """Files beside contests' texts; no contest's folder has such a name."""
        return FileStore(self.contests / "attached.files")

    @property
    def inbox(self) -> Inbox:
        """Uploads that just came."""
        return Inbox(self.path / "inbox")

    def vault(self) -> Vault:
        """What only workers open."""
        return Vault.open(self.path / VAULT_FOLDER)

    def read_cookie_key(self) -> bytes:
        """The secret that signs cookies."""
        return bytes.fromhex((self.path / "key").read_text(encoding="ascii"))

    def record_heartbeat(self, worker: str) -> None:
        """Give a sign of life of a worker, which pages can see."""
        self._heartbeat_file(worker).touch()

    def end(self, worker: str) -> None:
        """Take it back, at a proper end."""
        self._heartbeat_file(worker).unlink(missing_ok=True)

    def _heartbeat_file(self, worker: str) -> Path:
        return self.path / "scratch" / f"{worker.replace('/', '-')}.alive"

    def workers_alive(self, *, within: float) -> int:
        """How many workers gave a sign in the last seconds."""
        count = 0
        for path in (self.path / "scratch").glob("*.alive"):
            with suppress(FileNotFoundError):
                count += time.time() - path.stat().st_mtime <= within
        return count

    def database(self) -> Database:
        """The database, opened anew, its tables up to date."""
        return open_database(self.settings.database)


def prepare_home(path: Path, settings: ServerSettings | None = None) -> ContestHome:
    """Make what is missing of a home."""
    path = path.resolve()
    path.mkdir(parents=True, exist_ok=True, mode=SHARED_MODE)
    for folder in _HOME_FOLDERS:
        (path / folder).mkdir(exist_ok=True, mode=SHARED_MODE)
    if not (path / VAULT_FOLDER).exists():  # else it may be another user's
        Vault.open(path / VAULT_FOLDER)
    if not (path / "key").exists():
        write_file(path / "key", secrets.token_hex(KEY_BYTES).encode(), secret=True)
    home = ContestHome(path, settings or load_settings(path))
    home.database().close()
    return home


def open_home(path: Path, settings: ServerSettings | None = None) -> ContestHome:
    """A home that `prepare_home` made."""
    path = path.resolve()
    if not (path / "key").is_file():
        raise UsageError(
            "{path} is not a contest server's folder; `tokumei contest serve` makes one", path=path
        )
    return ContestHome(path, settings or load_settings(path))

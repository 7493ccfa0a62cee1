"""A server's folder.

prepare_home(path)                     # folders, key and tables; again: nothing changes
home = open_home(path)
home.files, home.inbox, home.contests, home.key(), home.database()
home.vault()                           # workers only

HOME/
  server.yaml           settings, optional
  contests/<folder>/    contest.yaml, data, the organiser's own Python file
  database/             store.sqlite, if no other database is set
  files/                public files by content (released rows)
  inbox/                uploads until a worker takes them
  vault/                0700: uploads, truth, salts
  key                   0600: signs cookies
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from pathlib import Path

from tokumei.contest.store.database import Database, open_database
from tokumei.contest.store.files import FileStore, write_file
from tokumei.contest.store.inbox import Inbox
from tokumei.contest.store.settings import Settings, settings_of
from tokumei.contest.store.vault import Vault
from tokumei.core.errors import UsageError

VAULT = "vault"
_FOLDERS = ("contests", "database", "files", "inbox", "scratch")
KEY_BYTES = 32
SHARED = 0o770
"""Mode of folders, less the umask: pages and workers may be two users of one group."""


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
    def inbox(self) -> Inbox:
        """Uploads that just came."""
        return Inbox(self.path / "inbox")

    def vault(self) -> Vault:
        """What only workers open."""
        return Vault.open(self.path / VAULT)

    def key(self) -> bytes:
        """The secret that signs cookies."""
        return bytes.fromhex((self.path / "key").read_text(encoding="ascii"))

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

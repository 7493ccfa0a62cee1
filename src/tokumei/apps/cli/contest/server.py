"""`tokumei contest serve`, `worker`, `backup`, `restore`, `reveal`: runs a server."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from tokumei.apps.cli.contest.common import print_json_if, print_note
from tokumei.apps.cli.printing_command import PrintingCommand, require_extra
from tokumei.core.command import option
from tokumei.core.messages import Message

if TYPE_CHECKING:
    from tokumei.apps.contest.server.supervisor import StartedServer


home_option = partial(option, "the server's folder", positional=True)
host_option = partial(option, "address to listen on")
port_option = partial(option, "0: any free port", least=0, most=65535)
workers_option = partial(option, "processes that judge", least=0)
database_option = partial(
    option, "database of the server; SQLite in its folder if not given", env="TOKUMEI_DATABASE_URL"
)
worker_name_option = partial(option, "name that no other worker has")


@dataclass(frozen=True, kw_only=True)
class ServeContests(PrintingCommand):
    """Serve until stopped."""

    about: ClassVar = Message(
        "Serve contests from a folder: pages, the interface for programs and workers that judge. "
        "An empty or new folder is prepared first, and a code is shown that makes you the "
        "organiser. Processes that die are restarted; Ctrl+C or SIGTERM ends all. --workers 0 "
        "serves only pages; workers may run elsewhere (tokumei contest worker)."
    )
    examples: ClassVar = ("tokumei contest serve contest-home --port 8000",)

    home: Path = home_option()
    host: str | None = host_option(default=None)
    port: int | None = port_option(default=None)
    workers: int | None = workers_option(default=None)
    database: str | None = database_option(default=None)

    def run(self, *, as_json: bool) -> int:
        """Run the command; return its exit code."""
        require_extra()
        from tokumei.apps.contest.server.supervisor import serve_home

        settings = {
            "host": self.host,
            "port": self.port,
            "workers": self.workers,
            "database": self.database,
        }
        code = serve_home(
            self.home,
            announce=lambda started: announce_server(started, as_json=as_json),
            **settings,
        )
        return code


def announce_server(started: StartedServer, *, as_json: bool) -> None:
    """Say where the server is and, the first time, how to become its organiser."""
    print_json_if(as_json, started.as_json())
    address, code = started.address, started.organiser_code
    print_note(Message("Open {address} (Ctrl+C ends)", address=address))
    if code is not None:
        page = f"{address}/register"
        print_note(
            Message(
                "Become the organiser: register at {page} with the code {code}\nIt works once and "
                "is not shown again after somebody used it.",
                page=page,
                code=code,
            )
        )
    if started.public:
        print_note(
            Message(
                "WARNING: passwords travel unencrypted unless an HTTPS proxy is in front of the "
                "server"
            )
        )


@dataclass(frozen=True, kw_only=True)
class RunWorker(PrintingCommand):
    """Judge until stopped."""

    about: ClassVar = Message(
        "Judge uploads until stopped (Ctrl+C or SIGTERM; its upload is given back to the queue). "
        "Any number of workers may share a server's folder and database; each needs a name of its "
        "own."
    )
    examples: ClassVar = ("tokumei contest worker contest-home --name judge-2",)

    home: Path = home_option()
    name: str | None = worker_name_option(default=None)
    database: str | None = database_option(default=None)

    def run(self, *, as_json: bool) -> int:
        """Run the command; return its exit code."""
        require_extra("sqlalchemy", "alembic")
        from tokumei.apps.contest.jobs.worker import run_worker
        from tokumei.apps.contest.store.server_home import load_settings

        return run_worker(
            self.home, self.name, settings=load_settings(self.home, database=self.database)
        )


out_option = partial(option, "the new file")
backup_option = partial(option, "the backup", positional=True)
new_home_option = partial(option, "the new folder")


@dataclass(frozen=True, kw_only=True)
class BackUpServer(PrintingCommand):
    """Write a backup."""

    about: ClassVar = Message(
        "Write a whole server to one file, while it works: contests, rows, uploads and the truth. "
        "Keep the file as secret as the server; only you can read it."
    )
    examples: ClassVar = ("tokumei contest backup contest-home --out contest.zip",)

    home: Path = home_option()
    out: Path = out_option()
    database: str | None = database_option(default=None)

    def run(self, *, as_json: bool) -> int:
        """Run the command; return its exit code."""
        require_extra("sqlalchemy", "alembic")
        from tokumei.apps.contest.store.backup import write_backup
        from tokumei.apps.contest.store.server_home import load_settings, open_home

        manifest = write_backup(
            open_home(self.home, load_settings(self.home, database=self.database)), self.out
        )
        entries, files = manifest.rows["entry"], len(manifest.files)
        print_json_if(
            as_json, {"ok": True, "out": str(self.out), "entries": entries, "files": files}
        )
        print_note(
            Message(
                "{out}: {uploads:,} uploads, {files:,} files. It holds the truth: keep it secret.",
                out=self.out,
                uploads=entries,
                files=files,
            )
        )
        return 0


@dataclass(frozen=True, kw_only=True)
class RestoreServer(PrintingCommand):
    """Restore a backup."""

    about: ClassVar = Message(
        "Make a server from its backup in a new folder; every file is verified. Rows go to SQLite "
        "in that folder, or to an empty database."
    )
    examples: ClassVar = ("tokumei contest restore contest.zip --home new-home",)

    backup: Path = backup_option()
    home: Path = new_home_option()
    database: str | None = database_option(default=None)

    def run(self, *, as_json: bool) -> int:
        """Run the command; return its exit code."""
        require_extra("sqlalchemy", "alembic")
        from tokumei.apps.contest.store.restore import restore_backup as restore_home

        restored = restore_home(self.backup, self.home, database=self.database)
        print_json_if(as_json, {"ok": True, "home": str(restored.path)})
        print_note(Message("Restored. Start it with: tokumei contest serve {home}", home=self.home))
        return 0


@dataclass(frozen=True, kw_only=True)
class RevealContest(PrintingCommand):
    """Write the zip."""

    about: ClassVar = Message(
        "After a contest: the published releases with their truth and the salts that open the "
        "commitments, in one zip, so that everybody can check that nothing was changed."
    )
    examples: ClassVar = ("tokumei contest reveal contest-home spring --out revealed.zip",)

    home: Path = home_option()
    contest: str = option("the contest's slug", positional=True)
    out: Path = option("zip to write")
    early: bool = option("also before the contest ends", default=False)
    database: str | None = database_option(default=None)

    def run(self, *, as_json: bool) -> int:
        """Run the command; return its exit code."""
        require_extra("sqlalchemy", "alembic")
        from tokumei.apps.contest.server.vault_exports import reveal_releases as write_reveal
        from tokumei.apps.contest.store.server_home import load_settings, open_home

        releases = write_reveal(
            open_home(self.home, load_settings(self.home, database=self.database)),
            self.contest,
            self.out,
            early=self.early,
        )
        print_json_if(as_json, {"ok": True, "out": str(self.out), "releases": releases})
        print_note(
            Message(
                "{out}: {count} release, its commitment checked",
                plural="{out}: {count} releases, their commitments checked",
                count=releases,
                out=self.out,
            )
        )
        return 0

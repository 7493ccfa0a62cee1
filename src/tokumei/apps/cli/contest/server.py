"""`tokumei contest serve`, `worker`, `backup`, `restore`, `reveal`: runs a server."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from tokumei.apps.cli.contest.common import print_bilingual_note, print_json_if
from tokumei.apps.cli.printing_command import PrintingCommand, require_extra
from tokumei.core.command import option
from tokumei.core.messages import Message

if TYPE_CHECKING:
    from tokumei.apps.contest.server.supervisor import StartedServer


home_option = partial(option, "the server's folder", "サーバーのフォルダ", positional=True)
host_option = partial(option, "address to listen on", "待ち受けるアドレス")
port_option = partial(option, "0: any free port", "0: 空きポート", least=0, most=65535)
workers_option = partial(option, "processes that judge", "採点するプロセスの数", least=0)
database_option = partial(
    option,
    "where rows are kept; SQLite in the folder if not given",
    "データベースの URL",
    env="TOKUMEI_DATABASE_URL",
)
worker_name_option = partial(
    option, "unlike that of any other worker", "ほかのワーカーと異なる名前"
)


@dataclass(frozen=True, kw_only=True)
class ServeContests(PrintingCommand):
    """Serve until stopped."""

    about: ClassVar = Message(
        "Serve contests from a folder: pages, the interface for programs and workers that judge. "
        "An empty or new folder is prepared first, and a code is shown that makes you the "
        "organiser. Processes that die are restarted; Ctrl+C or SIGTERM ends all. --workers 0 "
        "serves only pages; workers may run elsewhere (tokumei contest worker).",
        "フォルダにあるコンテストを公開します: ページ、プログラム用の API、採点するワーカー。"
        "空または新しいフォルダなら最初に準備し、主催者になるためのコードを表示します。"
        "落ちたプロセスは再起動し、Ctrl+C または SIGTERM ですべて終了します。"
        "--workers 0 ではページだけを公開し、ワーカーは別に動かせます (tokumei contest worker)。",
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
    print_bilingual_note(
        f"Open {address} (Ctrl+C ends)", f"{address} を開いてください (Ctrl+C で終了)"
    )
    if code is not None:
        page = f"{address}/register"
        print_bilingual_note(
            f"Become the organiser: register at {page} with the code {code}\n"
            "It works once and is not shown again after somebody used it.",
            f"主催者になるには: {page} でコード {code} を使って登録してください。\n"
            "一度だけ使えます。使われた後は表示されません。",
        )
    if started.public:
        print_bilingual_note(
            "WARNING: passwords travel unencrypted unless an HTTPS proxy is in front of the server",
            "警告: HTTPS のプロキシを前に置かないと、パスワードは暗号化されずに流れます",
        )


@dataclass(frozen=True, kw_only=True)
class RunWorker(PrintingCommand):
    """Judge until stopped."""

    about: ClassVar = Message(
        "Judge uploads until stopped (Ctrl+C or SIGTERM; its upload is given back to the queue). "
        "Any number of workers may share a server's folder and database; each needs a name of its "
        "own.",
        "停止するまで提出を採点します (Ctrl+C または SIGTERM で終了し、途中の提出は待ち行列に"
        "戻します)。サーバーのフォルダとデータベースを共有して何台でも動かせます。"
        "名前はそれぞれ別にします。",
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


out_option = partial(option, "the new file", "新しいファイル")
backup_option = partial(option, "the backup", "バックアップ", positional=True)
new_home_option = partial(option, "the new folder", "新しいフォルダ")


@dataclass(frozen=True, kw_only=True)
class BackUpServer(PrintingCommand):
    """Write a backup."""

    about: ClassVar = Message(
        "Write a whole server to one file, while it works: contests, rows, uploads and the truth. "
        "Keep the file as secret as the server; only you can read it.",
        "動作中のサーバー全体を 1 つのファイルに書き出します: "
        "コンテスト、データベース、提出、正解。サーバーと同じように秘密にしてください "
        "(読めるのは所有者だけです)。",
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
        print_bilingual_note(
            f"{self.out}: {entries} uploads, {files} files. It holds the truth: keep it secret.",
            f"{self.out}: 提出 {entries} 件、ファイル {files} 個。正解を含むので秘密にしてください"
            f"。",
        )
        return 0


@dataclass(frozen=True, kw_only=True)
class RestoreServer(PrintingCommand):
    """Restore a backup."""

    about: ClassVar = Message(
        "Make a server from its backup in a new folder; every file is verified. Rows go to SQLite "
        "in that folder, or to an empty database.",
        "バックアップから新しいフォルダにサーバーを復元します。ファイルはすべて検証します。"
        "データベースはフォルダ内の SQLite か、空のデータベースに復元します。",
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
        print_bilingual_note(
            f"Restored. Start it with: tokumei contest serve {self.home}",
            f"復元しました。起動: tokumei contest serve {self.home}",
        )
        return 0


@dataclass(frozen=True, kw_only=True)
class RevealContest(PrintingCommand):
    """Write the zip."""

    about: ClassVar = Message(
        "After a contest: the published releases with their truth and the salts that open the "
        "commitments, in one zip, so that everybody can check that nothing was changed.",
        "コンテスト終了後に、公開された匿名加工データと正解、コミットメントを開くソルトを 1 つの "
        "zip にします。改変がなかったことを誰でも確かめられます。",
    )
    examples: ClassVar = ("tokumei contest reveal contest-home spring --out revealed.zip",)

    home: Path = home_option()
    contest: str = option("its slug", "コンテストの slug", positional=True)
    out: Path = option("zip to write", "出力する zip")
    early: bool = option("before its end", "終了前でも書き出す", default=False)
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
        print_bilingual_note(
            f"{self.out}: {releases} releases, their commitments checked",
            f"{self.out}: 匿名加工データ {releases} 件 (コミットメント確認済み)",
        )
        return 0

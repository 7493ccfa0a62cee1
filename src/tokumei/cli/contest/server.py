"""`tokumei contest serve`, `worker`, `backup`, `restore`, `reveal`: running a server."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tokumei.cli.contest.remote import json_told, note
from tokumei.cli.options import Json, about, argument, option, require_extra

if TYPE_CHECKING:
    from tokumei.contest.server.run import Started


SERVE = about(
    "Serve contests from a folder: pages, the interface for programs and workers that judge. An "
    "empty or new folder is prepared first, and a code is shown that makes you the organiser. "
    "Processes that die are restarted; Ctrl+C or SIGTERM ends all. --workers 0 serves only pages; "
    "workers may run elsewhere (tokumei contest worker).",
    "フォルダにあるコンテストを公開します: ページ、プログラム用の API、採点するワーカー。"
    "空または新しいフォルダなら最初に準備し、主催者になるためのコードを表示します。"
    "落ちたプロセスは再起動し、Ctrl+C または SIGTERM ですべて終了します。"
    "--workers 0 ではページだけを公開し、ワーカーは別に動かせます (tokumei contest worker)。",
    "tokumei contest serve contest-home --port 8000",
)
WORKER = about(
    "Judge uploads until stopped (Ctrl+C or SIGTERM; its upload is given back to the queue). Any "
    "number of workers may share a server's folder and database; each needs a name of its own.",
    "停止するまで提出を採点します (Ctrl+C または SIGTERM で終了し、途中の提出は待ち行列に"
    "戻します)。サーバーのフォルダとデータベースを共有して何台でも動かせます。"
    "名前はそれぞれ別にします。",
    "tokumei contest worker contest-home --name judge-2",
)


Home = Annotated[Path, argument("the server's folder", "サーバーのフォルダ")]
Host = Annotated[str | None, option("address to listen on", "待ち受けるアドレス")]
Port = Annotated[int | None, option("0: any free port", "0: 空きポート", min=0, max=65535)]
Workers = Annotated[int | None, option("processes that judge", "採点するプロセスの数", min=0)]
Database = Annotated[
    str | None,
    option(
        "where rows are kept; SQLite in the folder if not given",
        "データベースの URL",
        envvar="TOKUMEI_DATABASE_URL",
        show_envvar=True,
    ),
]
Name = Annotated[
    str | None, option("unlike that of any other worker", "ほかのワーカーと異なる名前")
]


def serve(
    home: Home,
    host: Host = None,
    port: Port = None,
    workers: Workers = None,
    database: Database = None,
    json: Json = False,
) -> None:
    """Serve until stopped."""
    require_extra()
    from tokumei.contest.server.run import serve_home

    given = {"host": host, "port": port, "workers": workers, "database": database}
    code = serve_home(home, announce=lambda started: announce(started, as_json=json), **given)
    raise typer.Exit(code)


def announce(started: Started, *, as_json: bool) -> None:
    """Say where the server is and, the first time, how to become its organiser."""
    json_told(as_json, started.as_json())
    address, code = started.address, started.organiser_code
    note(f"Open {address} (Ctrl+C ends)", f"{address} を開いてください (Ctrl+C で終了)")
    if code is not None:
        page = f"{address}/register"
        note(
            f"Become the organiser: register at {page} with the code {code}\n"
            "It works once and is not shown again after somebody used it.",
            f"主催者になるには: {page} でコード {code} を使って登録してください。\n"
            "一度だけ使えます。使われた後は表示されません。",
        )
    if started.public:
        note(
            "WARNING: passwords travel unencrypted unless an HTTPS proxy is in front of the server",
            "警告: HTTPS のプロキシを前に置かないと、パスワードは暗号化されずに流れます",
        )


def worker(home: Home, name: Name = None, database: Database = None) -> None:
    """Judge until stopped."""
    require_extra("sqlalchemy", "alembic")
    from tokumei.contest.jobs.worker import run_worker
    from tokumei.contest.store.home import settings_of

    raise typer.Exit(run_worker(home, name, settings=settings_of(home, database=database)))


BACKUP = about(
    "Write a whole server to one file, while it works: contests, rows, uploads and the truth. "
    "Keep the file as secret as the server; only you can read it.",
    "動作中のサーバー全体を 1 つのファイルに書き出します: コンテスト、データベース、提出、正解。"
    "サーバーと同じように秘密にしてください (読めるのは所有者だけです)。",
    "tokumei contest backup contest-home --out contest.zip",
)
RESTORE = about(
    "Make a server from its backup in a new folder; every file is verified. Rows go to SQLite in "
    "that folder, or to an empty database.",
    "バックアップから新しいフォルダにサーバーを復元します。ファイルはすべて検証します。"
    "データベースはフォルダ内の SQLite か、空のデータベースに復元します。",
    "tokumei contest restore contest.zip --home new-home",
)


Out = Annotated[Path, option("the new file", "新しいファイル")]
Backup = Annotated[Path, argument("the backup", "バックアップ")]
NewHome = Annotated[Path, option("the new folder", "新しいフォルダ", "--home")]


def backup(home: Home, out: Out, database: Database = None, json: Json = False) -> None:
    """Write a backup."""
    require_extra("sqlalchemy", "alembic")
    from tokumei.contest.store.backup import back_up
    from tokumei.contest.store.home import open_home, settings_of

    manifest = back_up(open_home(home, settings_of(home, database=database)), out)
    entries, files = manifest.rows["entry"], len(manifest.files)
    json_told(json, {"ok": True, "out": str(out), "entries": entries, "files": files})
    note(
        f"{out}: {entries} uploads, {files} files. It holds the truth: keep it secret.",
        f"{out}: 提出 {entries} 件、ファイル {files} 個。正解を含むので秘密にしてください。",
    )


def restore(backup: Backup, home: NewHome, database: Database = None, json: Json = False) -> None:
    """Restore a backup."""
    require_extra("sqlalchemy", "alembic")
    from tokumei.contest.store.restore import restore as restore_home

    made = restore_home(backup, home, database=database)
    json_told(json, {"ok": True, "home": str(made.path)})
    note(
        f"Restored. Start it with: tokumei contest serve {home}",
        f"復元しました。起動: tokumei contest serve {home}",
    )


REVEAL = about(
    "After a contest: the published releases with their truth and the salts that open the "
    "commitments, in one zip, so that everybody can check that nothing was changed.",
    "コンテスト終了後に、公開された匿名加工データと正解、コミットメントを開くソルトを 1 つの zip に"
    "します。改変がなかったことを誰でも確かめられます。",
    "tokumei contest reveal contest-home spring --out revealed.zip",
)


def reveal(
    home: Home,
    contest: Annotated[str, argument("its slug", "コンテストの slug")],
    out: Annotated[Path, option("zip to write", "出力する zip")],
    early: Annotated[bool, option("before its end", "終了前でも書き出す", "--early")] = False,
    database: Database = None,
    json: Json = False,
) -> None:
    """Write the zip."""
    require_extra("sqlalchemy", "alembic")
    from tokumei.contest.server.vault_exports import reveal as write
    from tokumei.contest.store.home import open_home, settings_of

    releases = write(
        open_home(home, settings_of(home, database=database)), contest, out, early=early
    )
    json_told(json, {"ok": True, "out": str(out), "releases": releases})
    note(
        f"{out}: {releases} releases, their commitments checked",
        f"{out}: 匿名加工データ {releases} 件 (コミットメント確認済み)",
    )

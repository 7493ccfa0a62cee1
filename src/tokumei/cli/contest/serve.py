"""`tokumei contest serve` and `worker`: the server of contests, and one more judging process."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tokumei.cli.options import Json, require_extra
from tokumei.core.text import Text

if TYPE_CHECKING:
    from tokumei.contest.server.run import Started

SERVE_EXAMPLE = "tokumei contest serve contest-home --port 8000"
SERVE = Text(
    "Serve contests from a folder: pages, the interface for programs and workers that judge. An "
    "empty or new folder is prepared first, and a code is shown that makes you the organiser. "
    "Processes that die are restarted; Ctrl+C or SIGTERM ends all. --workers 0 serves only pages; "
    "workers may run elsewhere (tokumei contest worker)."
    f"\n\nExample:  {SERVE_EXAMPLE}",
    "フォルダにあるコンテストを公開します: ページ、プログラム用の API、採点するワーカー。"
    "空または新しいフォルダなら最初に準備し、主催者になるためのコードを表示します。"
    "落ちたプロセスは再起動し、Ctrl+C または SIGTERM ですべて終了します。"
    "--workers 0 ではページだけを公開し、ワーカーは別に動かせます (tokumei contest worker)。"
    f"\n\n例:  {SERVE_EXAMPLE}",
)
WORKER_EXAMPLE = "tokumei contest worker contest-home --name judge-2"
WORKER = Text(
    "Judge uploads until stopped (Ctrl+C or SIGTERM; its upload is given back to the queue). Any "
    "number of workers may share a server's folder and database; each needs a name of its own."
    f"\n\nExample:  {WORKER_EXAMPLE}",
    "停止するまで提出を採点します (Ctrl+C または SIGTERM で終了し、途中の提出は待ち行列に"
    "戻します)。サーバーのフォルダとデータベースを共有して何台でも動かせます。"
    "名前はそれぞれ別にします。"
    f"\n\n例:  {WORKER_EXAMPLE}",
)


def _help(en: str, ja: str) -> str:
    return Text(en, ja).show()


Home = Annotated[Path, typer.Argument(help=_help("the server's folder", "サーバーのフォルダ"))]
Host = Annotated[str | None, typer.Option(help=_help("address to listen on", "待ち受けるアドレス"))]
Port = Annotated[
    int | None,
    typer.Option(min=0, max=65535, help=_help("0: any free port", "0: 空きポート")),
]
Workers = Annotated[
    int | None, typer.Option(min=0, help=_help("processes that judge", "採点するプロセスの数"))
]
Database = Annotated[
    str | None,
    typer.Option(
        envvar="TOKUMEI_DATABASE_URL",
        show_envvar=True,
        help=_help("where rows are kept; SQLite in the folder if not given", "データベースの URL"),
    ),
]
Name = Annotated[
    str | None,
    typer.Option(help=_help("unlike that of any other worker", "ほかのワーカーと異なる名前")),
]


def register(group: typer.Typer) -> None:
    """Add the commands to the group `contest`."""
    group.command("serve", help=SERVE.show())(serve)
    group.command("worker", help=WORKER.show())(worker)


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
    from tokumei.cli.console import note, print_json

    if as_json:
        print_json(started.as_json())
        sys.stdout.flush()
    address, code = started.address, started.organiser_code
    note(Text(f"Open {address} (Ctrl+C ends)", f"{address} を開いてください (Ctrl+C で終了)"))
    if code is not None:
        page = f"{address}/register"
        note(
            Text(
                f"Become the organiser: register at {page} with the code {code}\n"
                "It works once and is not shown again after somebody used it.",
                f"主催者になるには: {page} でコード {code} を使って登録してください。\n"
                "一度だけ使えます。使われた後は表示されません。",
            )
        )
    if started.public:
        note(
            Text(
                "WARNING: passwords travel unencrypted unless an HTTPS proxy is in "
                "front of the server",
                "警告: HTTPS のプロキシを前に置かないと、パスワードは暗号化されずに流れます",
            )
        )


def worker(home: Home, name: Name = None, database: Database = None) -> None:
    """Judge until stopped."""
    require_extra("sqlalchemy", "alembic")
    from tokumei.contest.jobs.worker import run_worker
    from tokumei.contest.store.settings import settings_of

    raise typer.Exit(run_worker(home, name, settings=settings_of(home, database=database)))

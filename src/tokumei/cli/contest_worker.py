"""`tokumei contest worker`: one more process that judges, here or on another machine."""

from __future__ import annotations

from typing import Annotated

import typer

from tokumei.cli.contest_extra import require_extra
from tokumei.cli.contest_serve import Database, Home
from tokumei.core.text import Text

EXAMPLE = "tokumei contest worker contest-home --name judge-2"
WORKER = Text(
    "Judge uploads until stopped (Ctrl+C or SIGTERM; its upload is given back to the queue). Any "
    "number of workers may share a server's folder and database; each needs a name of its own."
    f"\n\nExample:  {EXAMPLE}",
    "停止するまで提出を採点します (Ctrl+C または SIGTERM で終了し、途中の提出は待ち行列に"
    "戻します)。サーバーのフォルダとデータベースを共有して何台でも動かせます。"
    "名前はそれぞれ別にします。"
    f"\n\n例:  {EXAMPLE}",
)
Name = Annotated[
    str | None,
    typer.Option(help=Text("unlike that of any other worker", "ほかのワーカーと異なる名前").show()),
]


def register(group: typer.Typer) -> None:
    """Add the command to the group `contest`."""
    group.command("worker", help=WORKER.show())(worker)


def worker(home: Home, name: Name = None, database: Database = None) -> None:
    """Judge until stopped."""
    require_extra("sqlalchemy", "alembic")
    from tokumei.contest.jobs.worker import run_worker
    from tokumei.contest.store.settings import settings_of

    raise typer.Exit(run_worker(home, name, settings=settings_of(home, database=database)))

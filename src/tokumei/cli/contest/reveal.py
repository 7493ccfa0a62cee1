"""`tokumei contest reveal`: what lets everybody check that the truth was fixed in time."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tokumei.cli.contest.serve import Database, Home
from tokumei.cli.options import Json, require_extra
from tokumei.core.text import Text

EXAMPLE = "tokumei contest reveal contest-home spring --out revealed.zip"
REVEAL = Text(
    "After a contest: the published releases with their truth and the salts that open the "
    "commitments, in one zip, so that everybody can check that nothing was changed."
    f"\n\nExample:  {EXAMPLE}",
    "コンテスト終了後に、公開された匿名加工データと正解、コミットメントを開くソルトを 1 つの zip に"
    "します。改変がなかったことを誰でも確かめられます。"
    f"\n\n例:  {EXAMPLE}",
)


def _help(en: str, ja: str) -> str:
    return Text(en, ja).show()


def register(group: typer.Typer) -> None:
    """Add the command to the group `contest`."""
    group.command("reveal", help=REVEAL.show())(reveal)


def reveal(
    home: Home,
    contest: Annotated[str, typer.Argument(help=_help("its slug", "コンテストの slug"))],
    out: Annotated[Path, typer.Option(help=_help("zip to write", "出力する zip"))],
    early: Annotated[
        bool, typer.Option("--early", help=_help("before its end", "終了前でも書き出す"))
    ] = False,
    database: Database = None,
    json: Json = False,
) -> None:
    """Write the zip."""
    require_extra("sqlalchemy", "alembic")
    from tokumei.cli.console import note, print_json
    from tokumei.contest.server.reveal import reveal as write
    from tokumei.contest.store.home import open_home
    from tokumei.contest.store.settings import settings_of

    releases = write(
        open_home(home, settings_of(home, database=database)), contest, out, early=early
    )
    if json:
        print_json({"ok": True, "out": str(out), "releases": releases})
    note(
        Text(
            f"{out}: {releases} releases, their commitments checked",
            f"{out}: 匿名加工データ {releases} 件 (コミットメント確認済み)",
        )
    )

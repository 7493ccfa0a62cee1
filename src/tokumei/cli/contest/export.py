"""`tokumei contest export` and `replay`: all of a contest, and its board made again of it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tokumei.cli.contest.remote import json_told, note
from tokumei.cli.contest.server import Database, Home, Out
from tokumei.cli.options import Json, about, argument, require_extra
from tokumei.core.text import Text

EXPORT = about(
    "Everything of a contest in one zip: what the console's export has, and besides all uploads "
    "and the files of the judge in force, so that `tokumei contest replay` can judge all of it "
    "again. It holds what teams kept secret; only you can read it.",
    "コンテストのすべてを 1 つの zip に書き出します: 管理画面の書き出しの内容に加え、すべての提出と"
    "現行の採点ファイル。`tokumei contest replay` で全提出を採点し直せます。"
    "チームの秘密を含みます (読めるのは所有者だけです)。",
    "tokumei contest export contest-home spring --out spring.zip",
)
REPLAY = about(
    "Make the board of an export again, in a folder of its own, and compare it with the exported "
    "one digit by digit. If the export has the uploads (tokumei contest export), each is judged "
    "again; the console's export has none, and its scores are taken as they are. Runs the "
    "organiser's own Python file of the export: replay what you trust. Exit code 1 if anything "
    "differs.",
    "書き出しから順位表を別のフォルダで作り直し、書き出された順位表と桁まで比べます。提出を含む書き"
    "出し (tokumei contest export) なら、すべて採点し直します。管理画面の書き出しは提出を含まない"
    "ので、点数はそのまま使います。主催者の Python ファイルを実行するので、信頼できるものだけに"
    "使ってください。違いがあれば終了コード 1。",
    "tokumei contest replay spring.zip",
)
DIFFERENCES_SHOWN = 20


def export(
    home: Home,
    contest: Annotated[str, argument("its slug", "コンテストの slug")],
    out: Out,
    database: Database = None,
    json: Json = False,
) -> None:
    """Write the zip."""
    require_extra("sqlalchemy", "alembic")
    from tokumei.contest.server.vault_exports import export_whole
    from tokumei.contest.store.home import open_home, settings_of

    uploads = export_whole(open_home(home, settings_of(home, database=database)), contest, out)
    json_told(json, {"ok": True, "out": str(out), "uploads": uploads})
    note(
        f"{out}: {uploads} uploads. It holds what teams kept secret: keep it secret.",
        f"{out}: 提出 {uploads} 件。チームの秘密を含むので秘密にしてください。",
    )


def replay(
    export: Annotated[Path, argument("the zip", "書き出した zip")], json: Json = False
) -> None:
    """Make the board again and compare it."""
    require_extra("sqlalchemy", "alembic")
    from tokumei.cli.console import print_table, show_progress
    from tokumei.contest.server.replay import replay as make_again

    show_progress()
    found = make_again(export)
    same = not found.differences
    plain = {
        "ok": same,
        "contest": found.slug,
        "exported_at": found.exported_at,
        "judged": found.judged,
        "differences": [{"en": one.en, "ja": one.ja} for one in found.differences],
        "board": {name: found.rows(name) for name in found.board},
    }
    if not json_told(json, plain):
        header, *rows = found.rows("leaderboard")
        names = ("rank", "team", "utility", "safety", "total")
        places = [header.index(name) for name in names if name in header]
        title = Text(f"Leaderboard of {found.exported_at}", f"{found.exported_at} の順位表")
        print_table(title, list(names), [[row[at] for at in places] for row in rows])
    _tell(found.judged, found.differences)
    raise typer.Exit(0 if same else 1)


def _tell(judged: int | None, differences: list[Text]) -> None:
    for one in differences[:DIFFERENCES_SHOWN]:
        note(*one)
    if differences:
        count = len(differences)
        note(f"{count} differences", f"違い {count} 件")
    elif judged is None:
        note(
            "The same board, to the digit, from the exported scores (the export has no uploads).",
            "書き出された点数から、桁まで同じ順位表になりました (提出は含まれていません)。",
        )
    else:
        note(
            f"{judged} uploads judged again: the same scores and the same board, to the digit.",
            f"提出 {judged} 件を採点し直し、点数も順位表も桁まで同じでした。",
        )

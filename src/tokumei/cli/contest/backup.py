"""`tokumei contest backup` and `restore`: a whole server in one file, and back."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tokumei.cli.contest.serve import Database, Home
from tokumei.cli.options import Json, require_extra
from tokumei.core.text import Text

BACKUP_EXAMPLE = "tokumei contest backup contest-home --out contest.zip"
RESTORE_EXAMPLE = "tokumei contest restore contest.zip --home new-home"
BACKUP = Text(
    "Write a whole server to one file, while it works: contests, rows, uploads and the truth. "
    "Keep the file as secret as the server; only you can read it."
    f"\n\nExample:  {BACKUP_EXAMPLE}",
    "動作中のサーバー全体を 1 つのファイルに書き出します: コンテスト、データベース、提出、正解。"
    "サーバーと同じように秘密にしてください (読めるのは所有者だけです)。"
    f"\n\n例:  {BACKUP_EXAMPLE}",
)
RESTORE = Text(
    "Make a server from its backup in a new folder; every file is verified. Rows go to SQLite in "
    "that folder, or to an empty database."
    f"\n\nExample:  {RESTORE_EXAMPLE}",
    "バックアップから新しいフォルダにサーバーを復元します。ファイルはすべて検証します。"
    "データベースはフォルダ内の SQLite か、空のデータベースに復元します。"
    f"\n\n例:  {RESTORE_EXAMPLE}",
)


def _help(en: str, ja: str) -> str:
    return Text(en, ja).show()


Out = Annotated[Path, typer.Option(help=_help("the new file", "新しいファイル"))]
Backup = Annotated[Path, typer.Argument(help=_help("the backup", "バックアップ"))]
NewHome = Annotated[Path, typer.Option("--home", help=_help("the new folder", "新しいフォルダ"))]


def register(group: typer.Typer) -> None:
    """Add the commands to the group `contest`."""
    group.command("backup", help=BACKUP.show())(backup)
    group.command("restore", help=RESTORE.show())(restore)


def backup(home: Home, out: Out, database: Database = None, json: Json = False) -> None:
    """Write a backup."""
    require_extra("sqlalchemy", "alembic")
    from tokumei.cli.console import note, print_json
    from tokumei.contest.store.backup import back_up
    from tokumei.contest.store.home import open_home
    from tokumei.contest.store.settings import settings_of

    manifest = back_up(open_home(home, settings_of(home, database=database)), out)
    entries, files = manifest.rows["entry"], len(manifest.files)
    if json:
        print_json({"ok": True, "out": str(out), "entries": entries, "files": files})
    note(
        Text(
            f"{out}: {entries} uploads, {files} files. It holds the truth: keep it secret.",
            f"{out}: 提出 {entries} 件、ファイル {files} 個。正解を含むので秘密にしてください。",
        )
    )


def restore(backup: Backup, home: NewHome, database: Database = None, json: Json = False) -> None:
    """Restore a backup."""
    require_extra("sqlalchemy", "alembic")
    from tokumei.cli.console import note, print_json
    from tokumei.contest.store.restore import restore as restore_home

    made = restore_home(backup, home, database=database)
    if json:
        print_json({"ok": True, "home": str(made.path)})
    note(
        Text(
            f"Restored. Start it with: tokumei contest serve {home}",
            f"復元しました。起動: tokumei contest serve {home}",
        )
    )

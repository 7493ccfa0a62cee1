"""`tokumei leftovers`: what an interrupted run left behind, and its removal."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tokumei.cli.options import Json, about
from tokumei.core.ask import Answer
from tokumei.core.errors import InputError
from tokumei.core.text import Text

ABOUT = about(
    "Hidden files that a run left which was killed outright: unverified rows, or secrets. All of "
    "them can be read by their owner only. Files of runs still under way are not listed.",
    "強制終了された処理が残した隠しファイル (未検証の行、または秘密) を示します。"
    "どれも所有者しか読めません。実行中の処理のファイルは含みません。",
    "tokumei leftovers results --remove",
)
FOLDERS = Text("folders to look in", "調べるフォルダ")
REMOVE = Text("remove them", "削除する")


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(help=ABOUT.show())(leftovers)


def leftovers(
    folders: Annotated[list[str], typer.Argument(help=FOLDERS.show())],
    remove: Annotated[bool, typer.Option("--remove", help=REMOVE.show())] = False,
    json: Json = False,
) -> None:
    """List, or remove."""
    from tokumei.cli.console import print_answer
    from tokumei.files import leftovers as files

    for folder in folders:
        if not Path(folder).is_dir():
            raise InputError(f"{folder}: no such folder", f"{folder}: フォルダがありません")
    found = files.remove_leftovers(folders) if remove else files.leftovers(folders)
    end = Text(f"{len(found)} left", f"{len(found)} 個残っています")
    if remove:
        end = Text(f"{len(found)} removed", f"{len(found)} 個を削除しました")
    names = [str(path) for path in found]
    answer = Answer(
        {"found": names, "removed": remove}, [*(Text(name, name) for name in names), end]
    )
    print_answer(answer, as_json=json)

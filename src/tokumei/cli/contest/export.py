"""`tokumei contest export` and `replay`: all of a contest, and its board made again of it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from tokumei.cli.contest.remote import json_told, note
from tokumei.cli.contest.server import database_option, home_option, out_option
from tokumei.cli.options import PrintingCommand, require_extra
from tokumei.core.ask import option
from tokumei.core.text import Text

DIFFERENCES_SHOWN = 20


@dataclass(frozen=True, kw_only=True)
class ExportContest(PrintingCommand):
    """Write the zip."""

    about: ClassVar = Text(
        "Everything of a contest in one zip: what the console's export has, and besides all "
        "uploads and the files of the judge in force, so that `tokumei contest replay` can judge "
        "all of it again. It holds what teams kept secret; only you can read it.",
        "コンテストのすべてを 1 つの zip に書き出します: 管理画面の書き出しの内容に加え、すべての"
        "提出と現行の採点ファイル。`tokumei contest replay` で全提出を採点し直せます。"
        "チームの秘密を含みます (読めるのは所有者だけです)。",
    )
    examples: ClassVar = ("tokumei contest export contest-home spring --out spring.zip",)

    home: Path = home_option()
    contest: str = option("its slug", "コンテストの slug", positional=True)
    out: Path = out_option()
    database: str | None = database_option(default=None)

    def run(self, *, as_json: bool) -> int:
        """Run the command; return its exit code."""
        require_extra("sqlalchemy", "alembic")
        from tokumei.contest.server.vault_exports import export_whole
        from tokumei.contest.store.home import open_home, settings_of

        uploads = export_whole(
            open_home(self.home, settings_of(self.home, database=self.database)),
            self.contest,
            self.out,
        )
        json_told(as_json, {"ok": True, "out": str(self.out), "uploads": uploads})
        note(
            f"{self.out}: {uploads} uploads. It holds what teams kept secret: keep it secret.",
            f"{self.out}: 提出 {uploads} 件。チームの秘密を含むので秘密にしてください。",
        )
        return 0


@dataclass(frozen=True, kw_only=True)
class ReplayContest(PrintingCommand):
    """Make the board again and compare it."""

    about: ClassVar = Text(
        "Make the board of an export again, in a folder of its own, and compare it with the "
        "exported one digit by digit. If the export has the uploads (tokumei contest export), "
        "each is judged again; the console's export has none, and its scores are taken as they "
        "are. Runs the organiser's own Python file of the export: replay what you trust. Exit "
        "code 1 if anything differs.",
        "書き出しから順位表を別のフォルダで作り直し、書き出された順位表と桁まで比べます。提出を含む書き"
        "出し (tokumei contest export) なら、すべて採点し直します。管理画面の書き出しは提出を含ま"
        "ないので、点数はそのまま使います。主催者の Python ファイルを実行するので、信頼できるもの"
        "だけに使ってください。違いがあれば終了コード 1。",
    )
    examples: ClassVar = ("tokumei contest replay spring.zip",)

    export: Path = option("the zip", "書き出した zip", positional=True)

    def run(self, *, as_json: bool) -> int:
        """Run the command; return its exit code."""
        require_extra("sqlalchemy", "alembic")
        from tokumei.cli.console import print_table, show_progress
        from tokumei.contest.server.replay import replay as make_again

        show_progress()
        found = make_again(self.export)
        same = not found.differences
        plain = {
            "ok": same,
            "contest": found.slug,
            "exported_at": found.exported_at,
            "judged": found.judged,
            "differences": [{"en": one.en, "ja": one.ja} for one in found.differences],
            "board": {name: found.rows(name) for name in found.board},
        }
        if not json_told(as_json, plain):
            header, *rows = found.rows("leaderboard")
            names = ("rank", "team", "utility", "safety", "total")
            places = [header.index(name) for name in names if name in header]
            title = Text(f"Leaderboard of {found.exported_at}", f"{found.exported_at} の順位表")
            print_table(title, list(names), [[row[at] for at in places] for row in rows])
        _tell(found.judged, found.differences)
        return 0 if same else 1


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

"""`tokumei contest export` and `replay`: exports a contest, and recomputes its board."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from tokumei.apps.cli.contest.common import print_json_if, print_note
from tokumei.apps.cli.contest.server import database_option, home_option, out_option
from tokumei.apps.cli.printing_command import PrintingCommand, require_extra
from tokumei.core.command import option
from tokumei.core.messages import Message

DIFFERENCES_SHOWN = 20


@dataclass(frozen=True, kw_only=True)
class ExportContest(PrintingCommand):
    """Write the zip."""

    about: ClassVar = Message(
        "Write a whole contest to one zip: what the console exports, all uploads and the files "
        "of the judge in force, so that `tokumei contest replay` can judge all of it again. It "
        "holds what teams kept secret; only you can read it."
    )
    examples: ClassVar = ("tokumei contest export contest-home spring --out spring.zip",)

    home: Path = home_option()
    contest: str = option("the contest's slug", positional=True)
    out: Path = out_option()
    database: str | None = database_option(default=None)

    def run(self, *, as_json: bool) -> int:
        """Run the command; return its exit code."""
        require_extra("sqlalchemy", "alembic")
        from tokumei.apps.contest.server.vault_exports import export_with_uploads
        from tokumei.apps.contest.store.server_home import load_settings, open_home

        uploads = export_with_uploads(
            open_home(self.home, load_settings(self.home, database=self.database)),
            self.contest,
            self.out,
        )
        print_json_if(as_json, {"ok": True, "out": str(self.out), "uploads": uploads})
        print_note(
            Message(
                "{out}: {count} upload. It holds what teams kept secret: keep it secret.",
                plural="{out}: {count:,} uploads. It holds what teams kept secret: keep it secret.",
                count=uploads,
                out=self.out,
            )
        )
        return 0


@dataclass(frozen=True, kw_only=True)
class ReplayContest(PrintingCommand):
    """Make the board again and compare it."""

    about: ClassVar = Message(
        "Make the board of an export again, in a folder of its own, and compare it with the "
        "exported one digit by digit. If the export has the uploads (tokumei contest export), each "
        "is judged again; the console's export has none, and its scores are taken as they are. "
        "Runs the organiser's own Python file of the export: replay what you trust. Exit code 1 if "
        "anything differs."
    )
    examples: ClassVar = ("tokumei contest replay spring.zip",)

    export: Path = option("the zip", positional=True)

    def run(self, *, as_json: bool) -> int:
        """Run the command; return its exit code."""
        require_extra("sqlalchemy", "alembic")
        from tokumei.apps.cli.console import print_table, show_progress
        from tokumei.apps.contest.server.replay_export import replay_export as replay_contest

        show_progress()
        replayed = replay_contest(self.export)
        identical = not replayed.differences
        result = {
            "ok": identical,
            "contest": replayed.slug,
            "exported_at": replayed.exported_at,
            "judged": replayed.judged,
            "differences": [difference.texts() for difference in replayed.differences],
            "board": {name: replayed.rows(name) for name in replayed.board},
        }
        if not print_json_if(as_json, result):
            header, *rows = replayed.rows("leaderboard")
            names = ("rank", "team", "utility", "safety", "total")
            column_indexes = [header.index(name) for name in names if name in header]
            title = Message("Leaderboard of {exported_at}", exported_at=replayed.exported_at)
            print_table(
                title, list(names), [[row[index] for index in column_indexes] for row in rows]
            )
        _print_differences(replayed.judged, replayed.differences)
        return 0 if identical else 1


def _print_differences(judged: int | None, differences: list[Message]) -> None:
    for difference in differences[:DIFFERENCES_SHOWN]:
        print_note(difference)
    if differences:
        print_note(
            Message("{count} difference", plural="{count:,} differences", count=len(differences))
        )
    elif judged is None:
        print_note(
            Message(
                "The same board, to the digit, from the exported scores (the export has no "
                "uploads)."
            )
        )
    else:
        print_note(
            Message(
                "{count} upload judged again: the same scores and the same board, to the digit.",
                plural="{count:,} uploads judged again: the same scores and the same board, to the "
                "digit.",
                count=judged,
            )
        )

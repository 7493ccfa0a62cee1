"""`tokumei leftovers`: lists and removes temporary files of interrupted runs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from tokumei.apps.cli.printing_command import PrintingCommand
from tokumei.core.command import CommandResult, option
from tokumei.core.errors import InputError
from tokumei.core.messages import Message


@dataclass(frozen=True, kw_only=True)
class CleanUpLeftovers(PrintingCommand):
    """List, or remove."""

    about: ClassVar = Message(
        "Hidden files that a run left which was killed outright: unverified rows, or secrets. All "
        "of them can be read by their owner only. Files of runs still under way are not listed.",
        "強制終了された処理が残した隠しファイル (未検証の行、または秘密) を示します。"
        "どれも所有者しか読めません。実行中の処理のファイルは含みません。",
    )
    examples: ClassVar = ("tokumei leftovers results --remove",)

    folders: list[str] = option("folders to look in", "調べるフォルダ", positional=True)
    remove: bool = option("remove them", "削除する", default=False)

    def run(self, *, as_json: bool) -> int:
        """Run the command; return its exit code."""
        from tokumei.apps.cli.console import print_command_result
        from tokumei.files import temporary_files as leftover_files

        for folder in self.folders:
            if not Path(folder).is_dir():
                raise InputError(f"{folder}: no such folder", f"{folder}: フォルダがありません")
        leftover_paths = (
            leftover_files.remove_leftovers(self.folders)
            if self.remove
            else leftover_files.find_leftovers(self.folders)
        )
        summary = Message(f"{len(leftover_paths)} left", f"{len(leftover_paths)} 個残っています")
        if self.remove:
            summary = Message(
                f"{len(leftover_paths)} removed", f"{len(leftover_paths)} 個を削除しました"
            )
        names = [str(path) for path in leftover_paths]
        answer = CommandResult(
            {"found": names, "removed": self.remove},
            [*(Message(name, name) for name in names), summary],
        )
        print_command_result(answer, as_json=as_json)
        return 0

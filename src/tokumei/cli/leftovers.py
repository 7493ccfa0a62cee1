"""`tokumei leftovers`: what an interrupted run left behind, and its removal."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from tokumei.cli.options import PrintingCommand
from tokumei.core.ask import Answer, option
from tokumei.core.errors import InputError
from tokumei.core.text import Text


@dataclass(frozen=True, kw_only=True)
class ListLeftovers(PrintingCommand):
    """List, or remove."""

    about: ClassVar = Text(
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
        from tokumei.cli.console import print_answer
        from tokumei.files import leftovers as files

        for folder in self.folders:
            if not Path(folder).is_dir():
                raise InputError(f"{folder}: no such folder", f"{folder}: フォルダがありません")
        found = (
            files.remove_leftovers(self.folders) if self.remove else files.leftovers(self.folders)
        )
        end = Text(f"{len(found)} left", f"{len(found)} 個残っています")
        if self.remove:
            end = Text(f"{len(found)} removed", f"{len(found)} 個を削除しました")
        names = [str(path) for path in found]
        answer = Answer(
            {"found": names, "removed": self.remove}, [*(Text(name, name) for name in names), end]
        )
        print_answer(answer, as_json=as_json)
        return 0

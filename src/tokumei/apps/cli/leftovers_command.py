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
        "List the hidden files that killed runs left behind: unverified rows, or secrets. Only "
        "their owner can read them. Files of runs still under way are not listed."
    )
    examples: ClassVar = ("tokumei leftovers results --remove",)

    folders: list[str] = option("folders to look in", positional=True)
    remove: bool = option("remove them", default=False)

    def run(self, *, as_json: bool) -> int:
        """Run the command; return its exit code."""
        from tokumei.apps.cli.console import print_command_result
        from tokumei.files import temporary_files as leftover_files

        for folder in self.folders:
            if not Path(folder).is_dir():
                raise InputError("{folder}: no such folder", folder=folder)
        leftover_paths = (
            leftover_files.remove_leftovers(self.folders)
            if self.remove
            else leftover_files.find_leftovers(self.folders)
        )
        count = len(leftover_paths)
        summary = (
            Message("{count} file removed", plural="{count:,} files removed", count=count)
            if self.remove
            else Message("{count} file left", plural="{count:,} files left", count=count)
        )
        names = [str(path) for path in leftover_paths]
        answer = CommandResult(
            {"found": names, "removed": self.remove},
            [*(Message.verbatim(name) for name in names), summary],
        )
        print_command_result(answer, as_json=as_json)
        return 0

"""`tokumei key`: creates a key file, with which its owner can make releases again."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from tokumei.apps.cli.printing_command import PrintingCommand
from tokumei.core.command import option
from tokumei.core.messages import Message

KEY_CREATED = Message(
    "{file}: a new key, readable by you alone. Keep it as secret as the link itself: with it and "
    "the source, every release made with --key can be made again, and so can its link"
)


@dataclass(frozen=True, kw_only=True)
class MakeKey(PrintingCommand):
    """Write a new key."""

    about: ClassVar = Message(
        "Make a key of 256 random bits, for a release that can be made again (--key).\n\nA seed is "
        "for experiments: whoever has the source can try all small numbers. A key cannot be "
        "guessed."
    )
    examples: ClassVar = ("tokumei key release.key",)

    out: Path = option("the file to make", name="file", positional=True)

    def run(self, *, as_json: bool) -> int:
        """Run the command; return its exit code."""
        from tokumei.apps.cli.console import print_json
        from tokumei.files.key_files import write_key

        write_key(self.out)
        if as_json:
            print_json({"ok": True, "key": str(self.out)})
        else:
            print(KEY_CREATED.fill(file=self.out))
        return 0

"""`tokumei studio`: starts the studio on this machine and opens the browser."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tokumei.apps.cli.printing_command import PrintingCommand, require_extra
from tokumei.core.command import option
from tokumei.core.messages import Message

DEFAULT_HOME = "~/tokumei-studio"


@dataclass(frozen=True, kw_only=True)
class OpenStudio(PrintingCommand):
    """Serve until stopped."""

    about: ClassVar = Message(
        "Drop a file in the browser, say what it is for, choose among candidates, attack the one "
        "you like, and write it out with its evidence and the recipe that repeats it. Listens on "
        "this machine only; the printed address is for you alone. Nothing is sent anywhere."
    )
    examples: ClassVar = ("tokumei studio customers.csv --home ~/releases",)

    file: str | None = option("a file to begin with", positional=True, default=None)
    home: str = option("folder of projects and releases", default=DEFAULT_HOME)
    port: int = option("0: any free port", least=0, most=65535, default=0)
    browser: bool = option("open the browser", default=True, negatable=True)
    new_address: bool = option(
        "a new address and token; bookmarks of the old one end", default=False
    )
    seconds: float = option("longest search of candidates, in seconds", least=1, default=60.0)

    def run(self, *, as_json: bool) -> int:
        """Run the command; return its exit code."""
        require_extra("fastapi", "uvicorn", "python_multipart", extra="studio")
        from tokumei.apps.cli.console import print_json, print_note
        from tokumei.apps.studio.server import serve_studio
        from tokumei.apps.studio.store.home import StudioHome, require_file

        def print_address(address: str) -> None:
            if as_json:
                print_json({"ok": True, "address": address})
            print_note(Message("Open {address} (Ctrl+C ends)", address=address))

        first_file = None if self.file is None else require_file(self.file)
        serve_studio(
            StudioHome.open(self.home),
            port=self.port,
            first=first_file,
            browser=self.browser,
            seconds=self.seconds,
            new_address=self.new_address,
            tell=print_address,
        )
        return 0

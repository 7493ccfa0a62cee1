"""`tokumei contest demo`: runs a contest in which teams of bots play."""

from __future__ import annotations

import sys
import tempfile
import threading
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from tokumei.apps.cli.contest.common import print_json_if, print_note
from tokumei.apps.cli.contest.server import announce_server, host_option, port_option
from tokumei.apps.cli.printing_command import PrintingCommand, require_extra
from tokumei.core.command import option
from tokumei.core.errors import TokumeiError, UsageError
from tokumei.core.language import current_language, use_language
from tokumei.core.messages import Message

if TYPE_CHECKING:
    from tokumei.apps.contest.demo import DemoResult
    from tokumei.apps.contest.server.supervisor import StartedServer


@dataclass(frozen=True, kw_only=True)
class RunContestDemo(PrintingCommand):
    """Play, then serve until stopped."""

    about: ClassVar = Message(
        "A server with a generated contest in which teams of bots submit, publish and attack each "
        "other; then look around, or play too. Ctrl+C ends it; without --home nothing is left."
    )
    examples: ClassVar = ("tokumei contest demo --port 8000",)

    home: Path | None = option("a new folder to keep it in", default=None)
    host: str | None = host_option(default=None)
    port: int | None = port_option(default=None)
    rows: int = option("purchases in the data", least=500, default=3000)
    teams: int = option("teams of bots", least=2, most=5, default=5)
    once: bool = option("stop when the bots are done", default=False, negatable=True)

    def run(self, *, as_json: bool) -> int:
        """Run the command; return its exit code."""
        require_extra()
        require_extra("httpx")
        from tokumei.apps.contest.server.supervisor import serve_home

        if self.home is not None and self.home.exists() and any(self.home.iterdir()):
            raise UsageError("{home} is not empty; name a new folder", home=self.home)
        with ExitStack() as stack:
            scratch = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="tokumei-demo-")))
            bots = _DemoBots(
                scratch, rows=self.rows, teams=self.teams, once=self.once, as_json=as_json
            )
            code = serve_home(
                self.home or scratch / "home",
                announce=bots.start_bots,
                host=self.host,
                port=self.port,
            )
        return code or bots.code


class _DemoBots:
    """The bots, in a thread of their own beside the server."""

    def __init__(self, scratch: Path, *, rows: int, teams: int, once: bool, as_json: bool) -> None:
        self._scratch_folder = scratch
        self._rows, self._teams = rows, teams
        self._stop_when_done = once
        self._as_json = as_json
        # Until the bots have done their part, an end by itself is a failure.
        self.code = 2 if once else 0

    def start_bots(self, started: StartedServer) -> None:
        """Start the bots."""
        announce_server(replace(started, organiser_code=None), as_json=False)
        language = current_language()
        threading.Thread(target=self._run_bots, args=(started, language), daemon=True).start()

    def _run_bots(self, started: StartedServer, language: str) -> None:
        from tokumei.apps.contest.demo import play_demo

        use_language(language)
        try:
            demo_result = play_demo(
                started.address,
                started.organiser_code or "",
                self._scratch_folder,
                tell=print_note,
                teams=self._teams,
                rows=self._rows,
            )
            self._print_summary(demo_result, started)
            self.code = 0
        except TokumeiError as error:
            print(error, file=sys.stderr)
            started.stop()
        finally:
            if self._stop_when_done:
                started.stop()

    def _print_summary(self, demo_result: DemoResult, started: StartedServer) -> None:
        address = started.address
        print_json_if(self._as_json, demo_result.as_json(address))
        page, first_bot = f"{address}/c/demo", demo_result.bots[0]
        print_note(
            Message(
                "All have played. Look at\n  {page}/leaderboard   ranks, and the plot of utility "
                "and safety\n  {page}/matrix        who found whom\n  {page}/console       as "
                "{organiser}, password {organiser_password}\n  {page}/entries       as {captain}, "
                "password {captain_password}",
                page=page,
                organiser=demo_result.organiser,
                organiser_password=demo_result.password,
                captain=first_bot.team.captain,
                captain_password=first_bot.password,
            )
        )

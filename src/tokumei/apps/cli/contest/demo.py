"""`tokumei contest demo`: runs a contest in which teams of bots play."""

from __future__ import annotations

import sys
import tempfile
import threading
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from tokumei.apps.cli.contest.common import print_bilingual_note, print_json_if
from tokumei.apps.cli.contest.server import announce_server, host_option, port_option
from tokumei.apps.cli.printing_command import PrintingCommand, require_extra
from tokumei.core.command import option
from tokumei.core.errors import TokumeiError, UsageError
from tokumei.core.messages import Message, current_language, use_language

if TYPE_CHECKING:
    from tokumei.apps.contest.demo import DemoResult
    from tokumei.apps.contest.server.supervisor import StartedServer


@dataclass(frozen=True, kw_only=True)
class RunContestDemo(PrintingCommand):
    """Play, then serve until stopped."""

    about: ClassVar = Message(
        "A server with a generated contest in which teams of bots submit, publish and attack each "
        "other; then look around, or play too. Ctrl+C ends it; without --home nothing is left.",
        "生成したデータのコンテストをサーバーで動かし、ボットのチームが提出・公開・攻撃します。"
        "その後は自由に見て回り、参加もできます。Ctrl+C で終了し、--home "
        "がなければ何も残りません。",
    )
    examples: ClassVar = ("tokumei contest demo --port 8000",)

    home: Path | None = option(
        "a new folder to keep it in", "残しておく新しいフォルダ", default=None
    )
    host: str | None = host_option(default=None)
    port: int | None = port_option(default=None)
    rows: int = option("purchases in the data", "データの行数", least=500, default=3000)
    teams: int = option("teams of bots", "ボットのチーム数", least=2, most=5, default=5)
    once: bool = option(
        "end when the bots have", "ボットが終わったら終了", default=False, negatable=True
    )

    def run(self, *, as_json: bool) -> int:
        """Run the command; return its exit code."""
        require_extra()
        require_extra("httpx")
        from tokumei.apps.contest.server.supervisor import serve_home

        if self.home is not None and self.home.exists() and any(self.home.iterdir()):
            raise UsageError(
                f"{self.home} is not empty; name a new folder", f"{self.home} は空ではありません"
            )
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
                tell=lambda text: print_bilingual_note(*text),
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
        print_bilingual_note(
            f"All have played. Look at\n"
            f"  {page}/leaderboard   ranks, and the plot of utility and safety\n"
            f"  {page}/matrix        who found whom\n"
            f"  {page}/console       as {demo_result.organiser}, password {demo_result.password}\n"
            f"  {page}/entries       as {first_bot.team.captain}, password {first_bot.password}",
            f"全チームが終わりました。ご覧ください:\n"
            f"  {page}/leaderboard   順位表と、有用性・安全性の図\n"
            f"  {page}/matrix        誰が誰を見つけたか\n"
            f"  {page}/console       {demo_result.organiser} (パスワード {demo_result.password}) "
            f"で\n"
            f"  {page}/entries       {first_bot.team.captain} (パスワード {first_bot.password}) で",
        )

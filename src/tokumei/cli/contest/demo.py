"""`tokumei contest demo`: a contest that plays itself, to be looked at."""

from __future__ import annotations

import sys
import tempfile
import threading
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from tokumei.cli.contest.remote import json_told, note
from tokumei.cli.contest.server import announce, host_option, port_option
from tokumei.cli.options import PrintingCommand, require_extra
from tokumei.core.ask import option
from tokumei.core.errors import TokumeiError, UsageError
from tokumei.core.text import Text, current_language, use_language

if TYPE_CHECKING:
    from tokumei.contest.demo import Played
    from tokumei.contest.server.run import Started


@dataclass(frozen=True, kw_only=True)
class PlayContestDemo(PrintingCommand):
    """Play, then serve until stopped."""

    about: ClassVar = Text(
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
        from tokumei.contest.server.run import serve_home

        if self.home is not None and self.home.exists() and any(self.home.iterdir()):
            raise UsageError(
                f"{self.home} is not empty; name a new folder", f"{self.home} は空ではありません"
            )
        with ExitStack() as stack:
            scratch = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="tokumei-demo-")))
            show = _Show(scratch, rows=self.rows, teams=self.teams, once=self.once, as_json=as_json)
            code = serve_home(
                self.home or scratch / "home", announce=show.begin, host=self.host, port=self.port
            )
        return code or show.code


class _Show:
    """The bots, in a thread of their own beside the server."""

    def __init__(self, scratch: Path, *, rows: int, teams: int, once: bool, as_json: bool) -> None:
        self._scratch = scratch
        self._rows, self._teams = rows, teams
        self._once = once
        self._as_json = as_json
        # Until the bots have done their part, an end by itself is a failure.
        self.code = 2 if once else 0

    def begin(self, started: Started) -> None:
        """Start the bots."""
        announce(replace(started, organiser_code=None), as_json=False)
        language = current_language()
        threading.Thread(target=self._play, args=(started, language), daemon=True).start()

    def _play(self, started: Started, language: str) -> None:
        from tokumei.contest.demo import play

        use_language(language)
        try:
            played = play(
                started.address,
                started.organiser_code or "",
                self._scratch,
                tell=lambda text: note(*text),
                teams=self._teams,
                rows=self._rows,
            )
            self._tell(played, started)
            self.code = 0
        except TokumeiError as error:
            print(error, file=sys.stderr)
            started.stop()
        finally:
            if self._once:
                started.stop()

    def _tell(self, played: Played, started: Started) -> None:
        address = started.address
        json_told(self._as_json, played.as_json(address))
        page, first = f"{address}/c/demo", played.bots[0]
        note(
            f"All have played. Look at\n"
            f"  {page}/leaderboard   ranks, and the plot of utility and safety\n"
            f"  {page}/matrix        who found whom\n"
            f"  {page}/console       as {played.organiser}, password {played.password}\n"
            f"  {page}/entries       as {first.team.captain}, password {first.password}",
            f"全チームが終わりました。ご覧ください:\n"
            f"  {page}/leaderboard   順位表と、有用性・安全性の図\n"
            f"  {page}/matrix        誰が誰を見つけたか\n"
            f"  {page}/console       {played.organiser} (パスワード {played.password}) で\n"
            f"  {page}/entries       {first.team.captain} (パスワード {first.password}) で",
        )

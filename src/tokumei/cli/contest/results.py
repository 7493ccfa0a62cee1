"""`tokumei contest status`, `results`, `news`: uploads, leaderboard and matrix, announcements."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from tokumei.cli.contest.remote import (
    STATES,
    chosen_contest,
    connected,
    contest_option,
    figures,
    found_text,
    json_told,
    note,
    playing,
    print_lines,
    server_option,
)
from tokumei.cli.options import PrintingCommand, told
from tokumei.core.ask import option
from tokumei.core.text import Text

KINDS = {
    "anonymize": Text("anonymize", "匿名加工"),
    "attack": Text("attack", "攻撃"),
    "coming": Text("not begun", "開始前"),
    "between": Text("between phases", "フェーズの間"),
    "over": Text("over", "終了"),
}


@dataclass(frozen=True, kw_only=True)
class ShowStatus(PrintingCommand):
    """Show what there is."""

    about: ClassVar = Text(
        "Where the contest stands, what the team may still do, and all its uploads.",
        "コンテストの現在のフェーズ、チームの残り回数、すべての提出を表示します。",
    )
    examples: ClassVar = ("tokumei contest status --server URL",)

    server: str = server_option()
    contest: str | None = contest_option(default=None)

    def run(self, *, as_json: bool) -> int:
        """Run the command; return its exit code."""
        with playing(self.server, self.contest) as (client, slug):
            view, team = client.contest(slug), client.team(slug)
            entries = [*client.entries(slug), *client.attacks(slug)]
        if json_told(as_json, {"ok": True, "contest": view, "team": team, "entries": entries}):
            return 0
        _show_status(view, team, entries)
        return 0


def _show_status(view: dict[str, Any], team: dict[str, Any], entries: list[dict[str, Any]]) -> None:
    title = told(view["title"]["en"], view["title"]["ja"])
    now, quota = KINDS[view["state"]].show(), team["quota"]
    until = (view["current"] or {}).get("ends") or (view["next"] or {}).get("starts") or ""
    print(f"{title}: {now} {'→ ' + until if until else ''}".rstrip())
    left = quota["submissions_left"], quota["submissions_left_today"]
    print(
        told(
            f"{team['name']}: {left[0]} submissions left ({left[1]} today)",
            f"{team['name']}: 残り提出 {left[0]} 回 (今日 {left[1]} 回)",
        )
    )
    print_lines(
        [
            entry["id"],
            entry["received_at"][:19] + "Z",
            STATES[entry["state"]].show(),
            told("published", "公開") if entry["published"] else "",
            figures(entry) or _place(entry),
            f"→ {entry['target_team']}" if entry["target_team"] else "",
            entry["label"],
        ]
        for entry in entries
    )


def _place(entry: dict[str, Any]) -> str:
    if entry["queue_position"] is not None:
        return told(f"place {entry['queue_position']}", f"待ち順 {entry['queue_position']}")
    total = entry["fault_total"]
    return told(f"{total} fault(s)", f"違反 {total} 件") if total else ""


@dataclass(frozen=True, kw_only=True)
class ShowResults(PrintingCommand):
    """Show the results, as far as they are public."""

    about: ClassVar = Text(
        "The leaderboard, the best attackers and who found what in whose release. Needs no "
        "account.",
        "順位表、攻撃の順位、攻撃者 × 防御者の表を表示します。アカウントは要りません。",
    )
    examples: ClassVar = ("tokumei contest results --server URL",)

    server: str = server_option()
    contest: str | None = contest_option(default=None)

    def run(self, *, as_json: bool) -> int:
        """Run the command; return its exit code."""
        with connected(self.server, known=None) as client:
            slug = chosen_contest(client, self.contest)
            board, matrix = client.leaderboard(slug), client.matrix(slug)
        if json_told(as_json, {"ok": True, "leaderboard": board, "matrix": matrix}):
            return 0
        _show_board(board)
        if any(cell for row in matrix["cells"] for cell in row):
            _show_matrix(matrix)
        return 0


def _show_board(board: dict[str, Any]) -> None:
    from tokumei.cli.console import print_table

    if board["hidden"] is not None:
        note(board["hidden"]["en"], board["hidden"]["ja"])
    rows = [
        [
            f"{row['rank'] or '–'} {row['team']}{' *' if row['mine'] else ''}",
            *(_number(row[name]) for name in ("utility", "suite")),
            found_text(row["attacks"]) or "–",
            *(_number(row[name]) for name in ("safety", "total")),
        ]
        for row in board["rows"]
    ]
    safety = told("suite", "主催者の攻撃"), told("attacks", "チームの攻撃")
    title = Text("Leaderboard (lower is better)", "順位表 (小さいほど良い)")
    print_table(title, [told("team", "チーム"), "U", *safety, "S", "total"], rows)


def _show_matrix(matrix: dict[str, Any]) -> None:
    from tokumei.cli.console import print_table

    rows = [
        [attacker, *(_cell(cell) for cell in cells)]
        for attacker, cells in zip(matrix["attackers"], matrix["cells"], strict=True)
    ]
    title = Text("Attackers (rows) × defenders", "攻撃者 (行) × 防御者")
    print_table(title, ["", *matrix["defenders"]], rows)


def _cell(cell: dict[str, Any] | None) -> str:
    return "–" if cell is None else found_text(cell["found"]) or "–"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.6g}"


TOLD = {"announcement": Text("announcement", "お知らせ"), "question": Text("question", "質問")}


@dataclass(frozen=True, kw_only=True)
class ShowNews(PrintingCommand):
    """Show what was told; ask first, if asked to."""

    about: ClassVar = Text(
        "What the organisers announced, and questions with their answers, the newest first. With "
        "--ask: ask the organisers (your team sees it, too).",
        "主催者からのお知らせと、質問と回答を新しい順に表示します。--ask で主催者に質問できます"
        " (チームにも見えます)。",
    )
    examples: ClassVar = (
        "tokumei contest news --server URL",
        'tokumei contest news --ask "May we delete rows?" --server URL',
    )

    server: str = server_option()
    contest: str | None = contest_option(default=None)
    ask: str | None = option("a question to the organisers", "主催者への質問", default=None)

    def run(self, *, as_json: bool) -> int:
        """Run the command; return its exit code."""
        with connected(self.server, known=None if self.ask is None else True) as client:
            slug = chosen_contest(client, self.contest)
            if self.ask is not None:
                client.ask(slug, self.ask)
            found = client.news(slug)
        if json_told(as_json, {"ok": True, "news": found}):
            return 0
        if not found:
            print(told("Nothing yet.", "まだありません。"))
        for item in found:
            _show(item)
        return 0


def _show(item: dict[str, Any]) -> None:
    private = "" if item["public"] else told(" (private)", " (非公開)")
    print(f"{item['at'][:16]}Z  {TOLD[item['kind']].show()}{private}")
    _print(item["words"], "  ")
    if item["answer"] is not None:
        print(told("  answer:", "  回答:"))
        _print(item["answer"], "    ")
    elif item["kind"] == "question":
        print(told("  not answered yet", "  回答待ち"))
    print()


def _print(words: dict[str, str], before: str) -> None:
    for line in told(words["en"], words["ja"]).splitlines():
        print(before + line)

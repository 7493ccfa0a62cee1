"""`tokumei contest status`, `results`, `news`: uploads, leaderboard and matrix, announcements."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from tokumei.apps.cli.contest.common import (
    STATE_LABELS,
    connect_client,
    connect_to_contest,
    contest_option,
    format_attack_result,
    format_figures,
    print_bilingual_note,
    print_json_if,
    print_rows,
    resolve_contest,
    server_option,
)
from tokumei.apps.cli.printing_command import PrintingCommand, translate
from tokumei.core.command import option
from tokumei.core.messages import Message

PHASE_LABELS = {
    "anonymize": Message("anonymize", "匿名加工"),
    "attack": Message("attack", "攻撃"),
    "coming": Message("not begun", "開始前"),
    "between": Message("between phases", "フェーズの間"),
    "over": Message("over", "終了"),
}

if TYPE_CHECKING:
    from tokumei.apps.contest.client.contest_client import Json


@dataclass(frozen=True, kw_only=True)
class ShowStatus(PrintingCommand):
    """Show what there is."""

    about: ClassVar = Message(
        "Where the contest stands, what the team may still do, and all its uploads.",
        "コンテストの現在のフェーズ、チームの残り回数、すべての提出を表示します。",
    )
    examples: ClassVar = ("tokumei contest status --server URL",)

    server: str = server_option()
    contest: str | None = contest_option(default=None)

    def run(self, *, as_json: bool) -> int:
        """Run the command; return its exit code."""
        with connect_to_contest(self.server, self.contest) as (client, slug):
            view, team = client.contest(slug), client.team(slug)
            entries = [*client.entries(slug), *client.attacks(slug)]
        if print_json_if(as_json, {"ok": True, "contest": view, "team": team, "entries": entries}):
            return 0
        _print_status(view, team, entries)
        return 0


def _print_status(view: Json, team: Json, entries: list[Json]) -> None:
    title = translate(view["title"]["en"], view["title"]["ja"])
    phase_label, quota = PHASE_LABELS[view["state"]].show(), team["quota"]
    phase_end = (view["current"] or {}).get("ends") or (view["next"] or {}).get("starts") or ""
    print(f"{title}: {phase_label} {'→ ' + phase_end if phase_end else ''}".rstrip())
    remaining = quota["submissions_left"], quota["submissions_left_today"]
    print(
        translate(
            f"{team['name']}: {remaining[0]} submissions left ({remaining[1]} today)",
            f"{team['name']}: 残り提出 {remaining[0]} 回 (今日 {remaining[1]} 回)",
        )
    )
    print_rows(
        [
            entry["id"],
            entry["received_at"][:19] + "Z",
            STATE_LABELS[entry["state"]].show(),
            translate("published", "公開") if entry["published"] else "",
            format_figures(entry) or _format_queue_place_or_faults(entry),
            f"→ {entry['target_team']}" if entry["target_team"] else "",
            entry["label"],
        ]
        for entry in entries
    )


def _format_queue_place_or_faults(entry: Json) -> str:
    if entry["queue_position"] is not None:
        return translate(f"place {entry['queue_position']}", f"待ち順 {entry['queue_position']}")
    total = entry["fault_total"]
    return translate(f"{total} fault(s)", f"違反 {total} 件") if total else ""


@dataclass(frozen=True, kw_only=True)
class ShowResults(PrintingCommand):
    """Show the results, as far as they are public."""

    about: ClassVar = Message(
        "The leaderboard, the best attackers and who found what in whose release. Needs no "
        "account.",
        "順位表、攻撃の順位、攻撃者 × 防御者の表を表示します。アカウントは要りません。",
    )
    examples: ClassVar = ("tokumei contest results --server URL",)

    server: str = server_option()
    contest: str | None = contest_option(default=None)

    def run(self, *, as_json: bool) -> int:
        """Run the command; return its exit code."""
        with connect_client(self.server, known=None) as client:
            slug = resolve_contest(client, self.contest)
            board, matrix = client.leaderboard(slug), client.matrix(slug)
        if print_json_if(as_json, {"ok": True, "leaderboard": board, "matrix": matrix}):
            return 0
        _print_leaderboard(board)
        if any(cell for row in matrix["cells"] for cell in row):
            _print_matrix(matrix)
        return 0


def _print_leaderboard(board: Json) -> None:
    from tokumei.apps.cli.console import print_table

    if board["hidden"] is not None:
        print_bilingual_note(board["hidden"]["en"], board["hidden"]["ja"])
    rows = [
        [
            f"{row['rank'] or '–'} {row['team']}{' *' if row['mine'] else ''}",
            *(_format_number(row[name]) for name in ("utility", "suite")),
            format_attack_result(row["attacks"]) or "–",
            *(_format_number(row[name]) for name in ("safety", "total")),
        ]
        for row in board["rows"]
    ]
    safety = translate("suite", "主催者の攻撃"), translate("attacks", "チームの攻撃")
    title = Message("Leaderboard (lower is better)", "順位表 (小さいほど良い)")
    print_table(title, [translate("team", "チーム"), "U", *safety, "S", "total"], rows)


def _print_matrix(matrix: Json) -> None:
    from tokumei.apps.cli.console import print_table

    rows = [
        [attacker, *(_format_matrix_cell(cell) for cell in cells)]
        for attacker, cells in zip(matrix["attackers"], matrix["cells"], strict=True)
    ]
    title = Message("Attackers (rows) × defenders", "攻撃者 (行) × 防御者")
    print_table(title, ["", *matrix["defenders"]], rows)


def _format_matrix_cell(cell: Json | None) -> str:
    return "–" if cell is None else format_attack_result(cell["found"]) or "–"


def _format_number(value: float | None) -> str:
    return "–" if value is None else f"{value:.6g}"


NEWS_LABELS = {
    "announcement": Message("announcement", "お知らせ"),
    "question": Message("question", "質問"),
}


@dataclass(frozen=True, kw_only=True)
class ShowNews(PrintingCommand):
    """Show what was told; ask first, if asked to."""

    about: ClassVar = Message(
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
        with connect_client(self.server, known=None if self.ask is None else True) as client:
            slug = resolve_contest(client, self.contest)
            if self.ask is not None:
                client.ask(slug, self.ask)
            news_items = client.news(slug)
        if print_json_if(as_json, {"ok": True, "news": news_items}):
            return 0
        if not news_items:
            print(translate("Nothing yet.", "まだありません。"))
        for item in news_items:
            _print_news_item(item)
        return 0


def _print_news_item(item: Json) -> None:
    private = "" if item["public"] else translate(" (private)", " (非公開)")
    print(f"{item['at'][:16]}Z  {NEWS_LABELS[item['kind']].show()}{private}")
    _print_indented(item["words"], "  ")
    if item["answer"] is not None:
        print(translate("  answer:", "  回答:"))
        _print_indented(item["answer"], "    ")
    elif item["kind"] == "question":
        print(translate("  not answered yet", "  回答待ち"))
    print()


def _print_indented(words: dict[str, str], indent: str) -> None:
    for line in translate(words["en"], words["ja"]).splitlines():
        print(indent + line)

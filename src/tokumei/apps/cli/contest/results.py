"""`tokumei contest status`, `results`, `news`: uploads, leaderboard and matrix, announcements."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from tokumei.apps.cli.contest.common import (
    STATE_LABELS,
    TOTAL_SCORE,
    connect_client,
    connect_to_contest,
    contest_option,
    count_faults,
    format_attack_result,
    format_figures,
    print_json_if,
    print_note,
    print_rows,
    resolve_contest,
    server_option,
)
from tokumei.apps.cli.printing_command import PrintingCommand
from tokumei.core.command import option
from tokumei.core.messages import Message

PHASE_LABELS = {
    "anonymize": Message("anonymize"),
    "attack": Message("attack"),
    "coming": Message("not begun"),
    "between": Message("between phases"),
    "over": Message("over"),
}

if TYPE_CHECKING:
    from tokumei.apps.contest.client.contest_client import Json


@dataclass(frozen=True, kw_only=True)
class ShowStatus(PrintingCommand):
    """Show what there is."""

    about: ClassVar = Message(
        "Show the current phase of the contest, what the team may still do, and all its uploads."
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
    title = Message.of_texts(view["title"])
    phase_label, quota = PHASE_LABELS[view["state"]], team["quota"]
    phase_end = (view["current"] or {}).get("ends") or (view["next"] or {}).get("starts") or ""
    print(f"{title}: {phase_label} {'→ ' + phase_end if phase_end else ''}".rstrip())
    print(
        Message(
            "{team}: {count} submission left ({today} today)",
            plural="{team}: {count} submissions left ({today} today)",
            count=quota["submissions_left"],
            team=team["name"],
            today=quota["submissions_left_today"],
        )
    )
    print_rows(
        [
            entry["id"],
            entry["received_at"][:19] + "Z",
            STATE_LABELS[entry["state"]].show(),
            Message("published").show() if entry["published"] else "",
            format_figures(entry) or _format_queue_place_or_faults(entry),
            f"→ {entry['target_team']}" if entry["target_team"] else "",
            entry["label"],
        ]
        for entry in entries
    )


def _format_queue_place_or_faults(entry: Json) -> str:
    if entry["queue_position"] is not None:
        return Message("place {number}", number=entry["queue_position"]).show()
    total = entry["fault_total"]
    return count_faults(total).show() if total else ""


@dataclass(frozen=True, kw_only=True)
class ShowResults(PrintingCommand):
    """Show the results, as far as they are public."""

    about: ClassVar = Message(
        "The leaderboard, the best attackers and who found what in whose release. Needs no account."
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
        print_note(Message.of_texts(board["hidden"]))
    rows = [
        [
            f"{row['rank'] or '–'} {row['team']}{' *' if row['mine'] else ''}",
            *(_format_number(row[name]) for name in ("utility", "suite")),
            format_attack_result(row["attacks"]) or "–",
            *(_format_number(row[name]) for name in ("safety", "total")),
        ]
        for row in board["rows"]
    ]
    team, suite = Message("team"), Message("suite")
    attacks = Message("attacks", context="of teams")
    header = [str(name) for name in (team, "U", suite, attacks, "S", TOTAL_SCORE)]
    print_table(Message("Leaderboard (lower is better)"), header, rows)


def _print_matrix(matrix: Json) -> None:
    from tokumei.apps.cli.console import print_table

    rows = [
        [attacker, *(_format_matrix_cell(cell) for cell in cells)]
        for attacker, cells in zip(matrix["attackers"], matrix["cells"], strict=True)
    ]
    title = Message("Attackers (rows) × defenders")
    print_table(title, ["", *matrix["defenders"]], rows)


def _format_matrix_cell(cell: Json | None) -> str:
    return "–" if cell is None else format_attack_result(cell["found"]) or "–"


def _format_number(value: float | None) -> str:
    return "–" if value is None else f"{value:.6g}"


NEWS_LABELS = {"announcement": Message("announcement"), "question": Message("question")}


@dataclass(frozen=True, kw_only=True)
class ShowNews(PrintingCommand):
    """Show what was told; ask first, if asked to."""

    about: ClassVar = Message(
        "What the organisers announced, and questions with their answers, the newest first. With "
        "--ask: ask the organisers (your team sees it, too)."
    )
    examples: ClassVar = (
        "tokumei contest news --server URL",
        'tokumei contest news --ask "May we delete rows?" --server URL',
    )

    server: str = server_option()
    contest: str | None = contest_option(default=None)
    ask: str | None = option("a question to the organisers", default=None)

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
            print(Message("Nothing yet."))
        for item in news_items:
            _print_news_item(item)
        return 0


def _print_news_item(item: Json) -> None:
    label = NEWS_LABELS[item["kind"]]
    heading = label if item["public"] else Message("{kind} (private)", kind=label)
    print(f"{item['at'][:16]}Z  {heading}")
    _print_indented(item["words"], "  ")
    if item["answer"] is not None:
        print(f"  {Message('answer:')}")
        _print_indented(item["answer"], "    ")
    elif item["kind"] == "question":
        print(f"  {Message('not answered yet')}")
    print()


def _print_indented(texts: dict[str, str], indent: str) -> None:
    for line in Message.of_texts(texts).show().splitlines():
        print(indent + line)

"""`tokumei contest status`: the contest, one's team and its uploads."""

from __future__ import annotations

from typing import Any

import typer

from tokumei.cli.contest.remote import (
    STATES,
    Contest,
    Server,
    chosen_contest,
    connected,
    figures,
    print_lines,
)
from tokumei.cli.options import Json
from tokumei.core.text import Text

STATUS = Text(
    "Where the contest stands, what the team may still do, and all its uploads.\n\n"
    "Example:  tokumei contest status --server URL",
    "コンテストの現在のフェーズ、チームの残り回数、すべての提出を表示します。\n\n"
    "例:  tokumei contest status --server URL",
)
KINDS = {
    "anonymize": Text("anonymize", "匿名加工"),
    "attack": Text("attack", "攻撃"),
    "coming": Text("not begun", "開始前"),
    "between": Text("between phases", "フェーズの間"),
    "over": Text("over", "終了"),
}


def register(group: typer.Typer) -> None:
    """Add the command."""
    group.command("status", help=STATUS.show())(status)


def status(server: Server, contest: Contest = None, json: Json = False) -> None:
    """Show what there is."""
    from tokumei.cli.console import print_json

    with connected(server) as client:
        slug = chosen_contest(client, contest)
        view, team = client.contest(slug), client.team(slug)
        entries = [*client.entries(slug), *client.attacks(slug)]
    if json:
        print_json({"ok": True, "contest": view, "team": team, "entries": entries})
        return
    _show(view, team, entries)


def _show(view: dict[str, Any], team: dict[str, Any], entries: list[dict[str, Any]]) -> None:
    title = Text(view["title"]["en"], view["title"]["ja"]).show()
    now, quota = KINDS[view["state"]].show(), team["quota"]
    until = (view["current"] or {}).get("ends") or (view["next"] or {}).get("starts") or ""
    print(f"{title}: {now} {'→ ' + until if until else ''}".rstrip())
    left = quota["submissions_left"], quota["submissions_left_today"]
    print(
        Text(
            f"{team['name']}: {left[0]} submissions left ({left[1]} today)",
            f"{team['name']}: 残り提出 {left[0]} 回 (今日 {left[1]} 回)",
        ).show()
    )
    print_lines(
        [
            entry["id"],
            entry["received_at"][:19] + "Z",
            STATES[entry["state"]].show(),
            Text("published", "公開").show() if entry["published"] else "",
            figures(entry) or _place(entry),
            f"→ {entry['target_team']}" if entry["target_team"] else "",
            entry["label"],
        ]
        for entry in entries
    )


def _place(entry: dict[str, Any]) -> str:
    if entry["queue_position"] is not None:
        return Text(f"place {entry['queue_position']}", f"待ち順 {entry['queue_position']}").show()
    total = entry["fault_total"]
    return Text(f"{total} fault(s)", f"違反 {total} 件").show() if total else ""

"""`tokumei contest news`: announcements, questions and answers; asking one."""

from __future__ import annotations

from typing import Annotated, Any

from tokumei.cli.contest.remote import Contest, Server, chosen_contest, connected, json_told
from tokumei.cli.options import Json, option, require_extra, told
from tokumei.core.text import Text

EXAMPLE = "tokumei contest news --server URL"
ASK = 'tokumei contest news --ask "May we delete rows?" --server URL'
NEWS = Text(
    "What the organisers announced, and questions with their answers, the newest first. With "
    f"--ask: ask the organisers (your team sees it, too).\n\nExample:  {EXAMPLE}\n\nAsk:  {ASK}",
    "主催者からのお知らせと、質問と回答を新しい順に表示します。--ask で主催者に質問できます"
    f" (チームにも見えます)。\n\n例:  {EXAMPLE}\n\n質問:  {ASK}",
)
KINDS = {"announcement": Text("announcement", "お知らせ"), "question": Text("question", "質問")}


def news(
    server: Server,
    contest: Contest = None,
    ask: Annotated[str | None, option("a question to the organisers", "主催者への質問")] = None,
    json: Json = False,
) -> None:
    """Show what was told; ask first, if asked to."""
    require_extra("httpx")
    from tokumei.contest.client.local import token_for

    with connected(server, known=ask is not None or token_for(server) is not None) as client:
        slug = chosen_contest(client, contest)
        if ask is not None:
            client.ask(slug, ask)
        found = client.news(slug)
    if json_told(json, {"ok": True, "news": found}):
        return
    if not found:
        print(told("Nothing yet.", "まだありません。"))
    for item in found:
        _show(item)


def _show(item: dict[str, Any]) -> None:
    private = told("", "") if item["public"] else told(" (private)", " (非公開)")
    print(f"{item['at'][:16]}Z  {KINDS[item['kind']].show()}{private}")
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

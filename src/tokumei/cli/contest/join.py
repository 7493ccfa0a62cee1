"""`tokumei contest join`: into a team, by its code or by making one."""

from __future__ import annotations

from typing import Annotated

import typer

from tokumei.cli.contest.remote import Contest, Server, chosen_contest, connected
from tokumei.cli.options import Json
from tokumei.core.errors import UsageError
from tokumei.core.text import Text

JOIN = Text(
    "Join a team by its code, or make a new one with --team. Its captain gets a code for others "
    "with --invite.\n\n"
    "Example:  tokumei contest join --team 'Night flight' --invite --server URL",
    "招待コードでチームに参加するか、--team で新しいチームを作ります。"
    "--invite でほかの人のための招待コードを作れます (キャプテン)。\n\n"
    "例:  tokumei contest join --team 夜間飛行 --invite --server URL",
)


def register(group: typer.Typer) -> None:
    """Add the command."""
    group.command("join", help=JOIN.show())(join)


def join(
    server: Server,
    code: Annotated[
        str | None,
        typer.Argument(help=Text("the team's code", "チームの招待コード").show()),
    ] = None,
    team: Annotated[
        str | None, typer.Option(help=Text("name of a new team", "新しいチームの名前").show())
    ] = None,
    invite: Annotated[
        bool,
        typer.Option("--invite", help=Text("make a code for others", "招待コードを作る").show()),
    ] = False,
    contest: Contest = None,
    json: Json = False,
) -> None:
    """Join or make a team."""
    from tokumei.cli.console import print_json

    if team is None and code is None and not invite:
        raise UsageError(
            "give a code, --team or --invite", "コード、--team、--invite のどれかが必要です"
        )
    with connected(server) as client:
        slug = chosen_contest(client, contest)
        if team is not None:
            found = client.create_team(slug, team, code)
        else:
            found = client.join(slug, code) if code is not None else client.team(slug)
        made = client.team_code(slug)["code"] if invite else None
    if json:
        print_json({"ok": True, "team": found, "code": made})
        return
    members = ", ".join(member["name"] for member in found["members"])
    print(f"{found['name']}: {members}")
    if made is not None:
        print(Text(f"code for others: {made}", f"招待コード: {made}").show())

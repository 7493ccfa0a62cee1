"""`tokumei contest register`, `token`, `join`: an account, its key on this machine, a team."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from tokumei.cli.contest.remote import Contest, Server, connected, json_told, note, playing
from tokumei.cli.options import Json, about, argument, option, told
from tokumei.core.errors import UsageError
from tokumei.core.text import Text

REGISTER = about(
    "Open an account on a server and keep a token for it. The password is asked for, or taken "
    "from TOKUMEI_PASSWORD.",
    "サーバーにアカウントを作り、トークンを保存します。パスワードは入力するか、"
    "TOKUMEI_PASSWORD で渡します。",
    "tokumei contest register aoi --invite ABCD-EFGH-JKMN-PQRS --server URL",
)
TOKEN = about(
    "Get a new token for an account and store it, so that the other commands can use it.",
    "アカウントの新しいトークンを取得して保存します。他のコマンドはこれを使います。",
    "tokumei contest token aoi --server URL",
)
Name = Annotated[str, argument("the account's name", "アカウント名")]
Label = Annotated[str, option("tells tokens apart", "トークンの見分けに使う名前")]


def register(
    name: Name,
    server: Server,
    invite: Annotated[str | None, option("invite code", "招待コード")] = None,
    label: Label = "tokumei contest",
    json: Json = False,
) -> None:
    """Register, then keep a token."""
    password = _password(twice=True)
    with connected(server, known=False) as client:
        client.register(name, password, invite)
    _keep(server, name, password, label, json)


def token(name: Name, server: Server, label: Label = "tokumei contest", json: Json = False) -> None:
    """Get and keep a token."""
    _keep(server, name, _password(twice=False), label, json)


def _keep(server: str, name: str, password: str, label: str, as_json: bool) -> None:
    from tokumei.contest.client.local import keep_token

    with connected(server, known=False) as client:
        made = client.new_token(name, password, label)
        path = keep_token(server, made["token"])
    json_told(as_json, {"ok": True, "name": name, "server": server, "token_file": str(path)})
    note(f"{name}: token kept in {path}", f"{name}: トークンを {path} に保存しました")


def _password(*, twice: bool) -> str:
    given = os.environ.get("TOKUMEI_PASSWORD")
    if given is not None:
        return given
    asked = told("Password", "パスワード")
    found: str = typer.prompt(asked, hide_input=True, confirmation_prompt=twice, err=True)
    return found


JOIN = Text(
    "Join a team by its code, or make a new one with --team. Its captain gets a code for others "
    "with --invite.\n\n"
    "Example:  tokumei contest join --team 'Night flight' --invite --server URL",
    "招待コードでチームに参加するか、--team で新しいチームを作ります。"
    "--invite でほかの人のための招待コードを作れます (キャプテン)。\n\n"
    "例:  tokumei contest join --team 夜間飛行 --invite --server URL",
)


def join(
    server: Server,
    code: Annotated[str | None, argument("the team's code", "チームの招待コード")] = None,
    team: Annotated[str | None, option("name of a new team", "新しいチームの名前")] = None,
    invite: Annotated[
        bool, option("make a code for others", "招待コードを作る", "--invite")
    ] = False,
    contest: Contest = None,
    json: Json = False,
) -> None:
    """Join or make a team."""
    if team is None and code is None and not invite:
        raise UsageError(
            "give a code, --team or --invite", "コード、--team、--invite のどれかが必要です"
        )
    with playing(server, contest) as (client, slug):
        if team is not None:
            found = client.create_team(slug, team, code)
        else:
            found = client.join(slug, code) if code is not None else client.team(slug)
        made = client.team_code(slug)["code"] if invite else None
    if json_told(json, {"ok": True, "team": found, "code": made}):
        return
    members = ", ".join(member["name"] for member in found["members"])
    print(f"{found['name']}: {members}")
    if made is not None:
        print(told(f"code for others: {made}", f"招待コード: {made}"))

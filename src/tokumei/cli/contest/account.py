"""`tokumei contest register` and `token`: an account on a server, and its key on this machine."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from tokumei.cli.contest.remote import Server, connected
from tokumei.cli.options import Json
from tokumei.core.text import Text

REGISTER = Text(
    "Open an account on a server and keep a token for it. The password is asked for, or taken "
    "from TOKUMEI_PASSWORD.\n\n"
    "Example:  tokumei contest register aoi --invite ABCD-EFGH-JKMN-PQRS --server URL",
    "サーバーにアカウントを作り、トークンを保存します。パスワードは入力するか、"
    "TOKUMEI_PASSWORD で渡します。\n\n"
    "例:  tokumei contest register aoi --invite ABCD-EFGH-JKMN-PQRS --server URL",
)
TOKEN = Text(
    "Get a new token for an account and store it, so that the other commands can use it.\n\n"
    "Example:  tokumei contest token aoi --server URL",
    "アカウントの新しいトークンを取得して保存します。他のコマンドはこれを使います。\n\n"
    "例:  tokumei contest token aoi --server URL",
)
Name = Annotated[str, typer.Argument(help=Text("the account's name", "アカウント名").show())]
Label = Annotated[
    str, typer.Option(help=Text("tells tokens apart", "トークンの見分けに使う名前").show())
]


def register(group: typer.Typer) -> None:
    """Add the commands."""
    group.command("register", help=REGISTER.show())(open_account)
    group.command("token", help=TOKEN.show())(get_token)


def open_account(
    name: Name,
    server: Server,
    invite: Annotated[
        str | None, typer.Option(help=Text("invite code", "招待コード").show())
    ] = None,
    label: Label = "tokumei contest",
    json: Json = False,
) -> None:
    """Register, then keep a token."""
    password = _password(twice=True)
    with connected(server, known=False) as client:
        client.register(name, password, invite)
    _keep(server, name, password, label, json)


def get_token(
    name: Name, server: Server, label: Label = "tokumei contest", json: Json = False
) -> None:
    """Get and keep a token."""
    _keep(server, name, _password(twice=False), label, json)


def _keep(server: str, name: str, password: str, label: str, as_json: bool) -> None:
    from tokumei.cli.console import note, print_json
    from tokumei.contest.client.keys import keep_token

    with connected(server, known=False) as client:
        made = client.new_token(name, password, label)
        path = keep_token(server, made["token"])
    if as_json:
        print_json({"ok": True, "name": name, "server": server, "token_file": str(path)})
    note(Text(f"{name}: token kept in {path}", f"{name}: トークンを {path} に保存しました"))


def _password(*, twice: bool) -> str:
    given = os.environ.get("TOKUMEI_PASSWORD")
    if given is not None:
        return given
    asked = Text("Password", "パスワード").show()
    found: str = typer.prompt(asked, hide_input=True, confirmation_prompt=twice, err=True)
    return found

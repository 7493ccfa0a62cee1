"""`tokumei contest create`: a new contest on a server, from its folder."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tokumei.cli.contest.remote import Server, connected
from tokumei.cli.options import Json
from tokumei.core.text import Text

CREATE = Text(
    "Create a contest on a server from a folder with contest.yaml and its data, or a zip of it "
    "(organisers). --codes makes an invite code for so many people.\n\n"
    "Example:  tokumei contest create spring --codes 30 --server URL",
    "contest.yaml とデータのあるフォルダ (または zip) から、サーバーにコンテストを作ります "
    "(主催者)。--codes で、その人数分の招待コードを作ります。\n\n"
    "例:  tokumei contest create spring --codes 30 --server URL",
)


def register(group: typer.Typer) -> None:
    """Add the command."""
    group.command("create", help=CREATE.show())(create)


def create(
    source: Annotated[Path, typer.Argument(help=Text("folder or zip", "フォルダか zip").show())],
    server: Server,
    codes: Annotated[
        int,
        typer.Option(min=0, max=10_000, help=Text("people to invite", "招待する人数").show()),
    ] = 0,
    json: Json = False,
) -> None:
    """Create a contest."""
    from tokumei.cli.console import print_json

    code = None
    with connected(server) as client:
        made = client.create_contest(source)
        if codes:
            body = {"kind": "register", "uses": codes}
            code = client.admin("POST", made["slug"], "invites", json=body)["code"]
    if json:
        print_json({"ok": True, "contest": made, "code": code})
        return
    print(f"{server.rstrip('/')}/c/{made['slug']}")
    if code is not None:
        print(Text(f"invite code: {code}", f"招待コード: {code}").show())

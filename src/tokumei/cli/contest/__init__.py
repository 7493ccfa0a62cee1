"""`tokumei contest`: run a contest, or take part in one."""

from __future__ import annotations

from importlib import import_module

import typer

from tokumei.core.text import Text

ABOUT = Text(
    "Contests: teams anonymize the same data, then attack each other's releases.\n\n"
    "Start with:  tokumei contest demo",
    "コンテスト: 各チームが同じデータを匿名加工し、互いの匿名加工データを攻撃します。\n\n"
    "まずは:  tokumei contest demo",
)
COMMANDS = (
    *("account.init", "check.check", "demo.demo", "server.serve", "server.worker", "server.backup"),
    *("server.restore", "server.reveal", "export.export", "export.replay", "account.create"),
    *("account.register", "account.token"),
    *("account.join", "submit.submit", "submit.wait", "results.status", "results.results"),
    *("submit.targets", "submit.attack", "results.news"),
)
"""Module and function of every command, in the order in which help shows them.

What help says stands beside the function, under its name in capitals.
"""


def register(app: typer.Typer) -> None:
    """Add the command group."""
    group = typer.Typer(help=ABOUT.show(), no_args_is_help=True)
    for place in COMMANDS:
        home, _, name = place.partition(".")
        module = import_module(f"tokumei.cli.contest.{home}")
        group.command(name, help=getattr(module, name.upper()).show())(getattr(module, name))
    app.add_typer(group, name="contest")

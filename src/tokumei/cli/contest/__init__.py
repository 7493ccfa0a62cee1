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
    *("init", "check", "demo", "serve", "backup", "reveal", "create", "account", "join"),
    *("submit", "wait", "status", "results", "attack"),
)
"""Modules with one or more commands each, in the order in which help shows them."""


def register(app: typer.Typer) -> None:
    """Add the command group."""
    group = typer.Typer(help=ABOUT.show(), no_args_is_help=True)
    for command in COMMANDS:
        import_module(f"tokumei.cli.contest.{command}").register(group)
    app.add_typer(group, name="contest")

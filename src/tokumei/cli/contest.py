"""`tokumei contest`: run a contest, or take part in one."""

from __future__ import annotations

import typer

from tokumei.cli import (
    contest_attack,
    contest_backup,
    contest_check,
    contest_create,
    contest_demo,
    contest_init,
    contest_join,
    contest_register,
    contest_results,
    contest_reveal,
    contest_serve,
    contest_status,
    contest_submit,
    contest_wait,
    contest_worker,
)
from tokumei.core.text import Text

ABOUT = Text(
    "Contests: teams anonymize the same data, then attack each other's releases.\n\n"
    "Start with:  tokumei contest demo",
    "コンテスト: 各チームが同じデータを匿名加工し、互いの加工データを攻撃します。\n\n"
    "まずは:  tokumei contest demo",
)
COMMANDS = (
    contest_init,
    contest_check,
    contest_demo,
    contest_serve,
    contest_worker,
    contest_backup,
    contest_reveal,
    contest_create,
    contest_register,
    contest_join,
    contest_submit,
    contest_wait,
    contest_status,
    contest_results,
    contest_attack,
)
"""One module for each command, in the order in which help shows them."""


def register(app: typer.Typer) -> None:
    """Add the command group."""
    group = typer.Typer(help=ABOUT.show(), no_args_is_help=True)
    for command in COMMANDS:
        command.register(group)
    app.add_typer(group, name="contest")

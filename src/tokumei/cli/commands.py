"""All commands in one application."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from tokumei._version import __version__
from tokumei.cli.doors import doors
from tokumei.cli.verbs import add_doors
from tokumei.core.text import Text

ABOUT = Text(
    "Tokumei (匿名): anonymize tables and purchase histories, attack the result as a real attacker "
    "would, and measure what the data is still worth and how safe it is.\n\n"
    "Start with:  tokumei demo\n\n"
    "Every command takes --json (one JSON document on stdout), --lang en|ja and --help. "
    "Exit code: 0 done, 1 the data breaks a rule or a claim, 2 wrong usage or unreadable input.",
    "Tokumei (匿名): 表と購買履歴を匿名加工し、実際の攻撃者と同じ方法で攻撃し、"
    "データの価値と安全性を測ります。\n\n"
    "まずは:  tokumei demo\n\n"
    "どのコマンドにも --json (標準出力に JSON 一つ)、--lang en|ja、--help があります。"
    "終了コード: 0 完了、1 規則違反または主張の不成立、2 使い方の誤り・読めない入力。",
)


VERSION_HELP = Text("show the version and exit", "バージョンを表示して終了")
LANG_HELP = Text("language of messages: en or ja", "表示言語: en か ja")

MODULES = ("run", "contest", "studio", "methods", "key", "leftovers")
"""Modules with commands that are made by hand."""
BESIDE = {"price": "price.serve"}
"""Modules that add a command to a group that is made here."""
SECTIONS = (
    (Text("Start here", "まずはここから"), ("studio", "look", "demo", "run", "methods", "paper")),
    (Text("Data", "データ"), ("sample", "hierarchy", "categories", "knowledge")),
    (
        Text("Anonymize", "匿名加工"),
        ("anonymize", "publish", "rules", "advise", "choose", "sweep", "price", "key"),
    ),
    (
        Text("Attack and measure", "攻撃と評価"),
        ("attack", "audit", "measure", "risk", "unicity", "lifetime", "curves", "diagnose"),
    ),
    (Text("Verify", "検証"), ("check", "conform", "ledger", "leftovers")),
    (Text("Contests", "コンテスト"), ("contest",)),
)
OTHERS = Text("More", "その他")


def _show_version(asked: bool) -> None:
    if asked:
        print(f"tokumei {__version__}")
        raise typer.Exit


def build_app(args: Sequence[str] = ()) -> typer.Typer:
    """The application, its help in the language in force.

    If the arguments name a command, it is loaded alone: reading the signatures of all takes long.
    If they ask what there is, commands have no options and groups no commands.
    """
    called = args[0] if args and not args[0].startswith("-") else ""
    app = typer.Typer(
        cls=Grouped,
        help=ABOUT.show(),
        no_args_is_help=True,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_everywhere)
    exact = [door for door in doors() if door.path in (tuple(args[:2]), tuple(args[:3]))]
    made = exact or [door for door in doors() if door.path[0] == called]
    modules: Sequence[str] = [called] if called in MODULES else []
    if not made and not modules:
        made, modules = doors(), MODULES
    asked = bool(called) and bool({"-h", "--help"} & {*args})
    listed = [*args[:1]] in (["-h"], ["--help"], ["--version"])
    groups = add_doors(app, made, with_methods=asked, with_options=not listed)
    for name in () if exact else BESIDE.keys() & groups.keys():
        import_module(f"tokumei.cli.{BESIDE[name]}").register(groups[name])
    for name in modules:
        import_module(f"tokumei.cli.{name}").register(app)
    for group in app.registered_groups if listed else ():
        if group.typer_instance is not None:
            group.typer_instance.registered_commands.clear()
    return app


def _everywhere(
    version: Annotated[
        bool,
        typer.Option("--version", is_eager=True, callback=_show_version, help=VERSION_HELP.show()),
    ] = False,
    lang: Annotated[str | None, typer.Option("--lang", help=LANG_HELP.show())] = None,
) -> None:
    """What stands before any command; `--lang` is taken out of the arguments before."""


class Grouped(TyperGroup):
    """All commands under headings; one that no heading names stands at the end."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write every section that has commands."""
        named = {name for _, names in SECTIONS for name in names}
        rest = tuple(name for name in self.list_commands(ctx) if name not in named)
        for title, names in (*SECTIONS, (OTHERS, rest)):
            rows = [
                (name, command.get_short_help_str(formatter.width - 20))
                for name in names
                if (command := self.get_command(ctx, name)) is not None and not command.hidden
            ]
            if rows:
                with formatter.section(title.show()):
                    formatter.write_dl(rows)

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
from tokumei.cli.words import first_sentence
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
    (
        Text("Start here", "まずはここから"),
        {
            "studio": Text("work on a file in the browser", "ブラウザーで匿名加工を進める"),
            "look": Text("what a file is, column by column", "ファイルと各列の内容を調べる"),
            "demo": Text("the whole flow on generated data", "生成データで一連の流れを試す"),
            "run": Text("run a recipe: a whole experiment", "レシピ (実験一式) を実行する"),
            "methods": Text("list all methods and what they do", "手法と内容を一覧する"),
            "paper": Text("recompute one of the five papers", "元の 5 本の論文を再計算する"),
        },
    ),
    (
        Text("Data", "データ"),
        {
            "sample": Text("generate made-up data", "架空のデータを生成する"),
            "hierarchy": Text("build, check and show hierarchies", "階層を作成・検査・表示する"),
            "categories": Text("put the items of a history into categories", "商品を分類する"),
            "knowledge": Text("draw what an attacker knows", "攻撃者の知識を作る"),
        },
    ),
    (
        Text("Anonymize", "匿名加工"),
        {
            "anonymize": Text("make a release and verify it", "匿名加工し、検証する"),
            "publish": Text(
                "make the public and the secret file of a contest", "公開・秘密ファイルを作る"
            ),
            "rules": Text("keep what recommendations need", "推薦に必要な属性を残して加工する"),
            "advise": Text("which release suits a purpose", "目的に合う匿名加工を提案する"),
            "choose": Text("which k, and what else to do", "k とほかの対策を選ぶ"),
            "sweep": Text("loss and risk for every k", "k ごとの損失とリスクを求める"),
            "price": Text("what data is worth, the best recoding", "データの価値と最適な加工"),
            "key": Text("make a key for a repeatable release", "再現用の鍵を作る"),
        },
    ),
    (
        Text("Attack and measure", "攻撃と評価"),
        {
            "attack": Text("find people again in a release", "匿名加工データで再識別を試みる"),
            "audit": Text(
                "membership, inference, singling out", "含まれる人・属性の推定、絞り込みを調べる"
            ),
            "measure": Text("what a release is worth, how safe", "有用性と安全性を測る"),
            "risk": Text("the risk that a table carries", "表のリスクを調べる"),
            "unicity": Text(
                "who is singled out by a few known purchases", "数点の知識で絞られる割合"
            ),
            "lifetime": Text("how long a pseudonym may be used", "仮名を使い続けてよい期間"),
            "curves": Text("attacks by number of columns and rows", "列数・行数と攻撃の関係"),
            "diagnose": Text("which methods made a release", "使われた手法を推定する"),
        },
    ),
    (
        Text("Verify", "検証"),
        {
            "check": Text(
                "recompute k and other models of any file", "k などをファイルから検査する"
            ),
            "conform": Text("evidence for the law's requirements", "法令の要件に沿って検査する"),
            "ledger": Text("what all releases say together", "これまでの公開を合わせて調べる"),
            "leftovers": Text("files that killed runs left behind", "強制終了で残ったファイル"),
        },
    ),
    (
        Text("Contests", "コンテスト"),
        {"contest": Text("play, serve and judge contests", "コンテストの参加・開催・審査")},
    ),
)
"""All commands in few words, under what a person wants to do."""
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
        named = {name for _, briefs in SECTIONS for name in briefs}
        rest = {name: None for name in self.list_commands(ctx) if name not in named}
        for title, briefs in (*SECTIONS, (OTHERS, rest)):
            rows = [
                (name, first_sentence(command.help or "") if brief is None else brief.show())
                for name, brief in briefs.items()
                if (command := self.get_command(ctx, name)) is not None and not command.hidden
            ]
            if rows:
                with formatter.section(title.show()):
                    formatter.write_dl(rows)

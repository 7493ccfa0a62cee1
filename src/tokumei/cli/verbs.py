"""Commands made from what the kinds of data can be asked.

Every kind says which commands it has and what each may be asked (`core/ask.py`). Here one command
is made of all kinds that have it: its options are those of all of them, `--format` tells which
kind is meant, and an option that this kind does not use is refused.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import MISSING, Field
from typing import Annotated, Any, get_args, get_origin

import typer

from tokumei.cli.doors import FORMAT, JSON, Declared, Door, declared, python_name
from tokumei.cli.plain import answered
from tokumei.cli.values import parameter_help, plain_type, written
from tokumei.core.ask import options_of
from tokumei.core.text import Text

GROUPS = {
    "anonymize": Text("Make a release and verify it.", "匿名加工し、検証します。"),
    "sample": Text(
        "Generate made-up data that looks like the real thing.", "本物に似たデータを生成します。"
    ),
    "measure": Text(
        "Measure what a release is worth, and how safe it is.",
        "匿名加工データの有用性と安全性を測ります。",
    ),
    "price": Text(
        "What data is worth, and the most valuable recoding.", "データの価値と最適な加工。"
    ),
    "price patterns": Text("Words for the values of a price list.", "価格表の値をまとめる語。"),
    "hierarchy": Text(
        "Hierarchies: what each value becomes, step by step, up to *.",
        "階層: 値を * まで段階的に一般化する道筋。",
    ),
    "audit": Text(
        "What a release tells about the people in it.", "公開データから個人について分かること。"
    ),
    "ledger": Text(
        "The release ledger: what all releases say together, before the next one leaves.",
        "公開台帳: すべての匿名加工データを合わせると何が分かるかを、次に渡す前に調べます。",
    ),
    "rules": Text(
        "Recommendation rules: keep in the data what recommendations need.",
        "推薦ルール: 情報推薦に必要な属性を残して匿名加工します。",
    ),
}
"""What groups of commands are for."""


def add_doors(
    app: typer.Typer, made: Sequence[Door], *, with_methods: bool = False, with_options: bool = True
) -> dict[str, typer.Typer]:
    """Add commands to the application, those of several words in groups; the groups."""
    groups: dict[str, typer.Typer] = {}
    whole = {door.path for door in made}
    for door in made:
        if door.path[:-1] in whole:
            # It stands behind a command of its own (`audit`), whose help names it.
            continue
        home = _home(app, groups, door.path[:-1])
        if home is not app and not with_options:
            continue
        run = command_of(door, with_methods=with_methods, with_options=with_options)
        extra = {"allow_extra_args": True, "ignore_unknown_options": True}
        home.command(name=door.path[-1], help=run.__doc__, context_settings=extra)(run)
    return groups


def _home(app: typer.Typer, groups: dict[str, typer.Typer], path: Sequence[str]) -> typer.Typer:
    """The group of some words, made when it is first needed."""
    words = " ".join(path)
    if not path:
        return app
    if words not in groups:
        told = GROUPS[words].show() if words in GROUPS else None
        groups[words] = typer.Typer(help=told, no_args_is_help=True)
        _home(app, groups, path[:-1]).add_typer(groups[words], name=path[-1])
    return groups[words]


def command_of(
    door: Door, *, with_methods: bool = False, with_options: bool = True
) -> Callable[..., int]:
    """The function that Typer makes a command of; `with_methods`: its help lists their options."""

    def run(ctx: typer.Context, **given: Any) -> int:
        return answered(door, given, ctx.args)

    parameters = [inspect.Parameter("ctx", inspect.Parameter.POSITIONAL_OR_KEYWORD)]
    hints: dict[str, Any] = {"ctx": typer.Context, "return": int}
    for name, (hint, shown) in (_parameters(door) if with_options else {}).items():
        hints[name] = Annotated[hint, shown]
        default = False if name == "json" else None
        parameters.append(inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default))
    run.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [one.replace(annotation=hints[one.name]) for one in parameters], return_annotation=int
    )
    run.__annotations__ = hints
    run.__doc__ = help_of(door, with_methods=with_methods)
    return run


def help_of(door: Door, *, with_methods: bool) -> str:
    """What the command does, kind by kind, with examples that run."""
    asks = {verb.ask(): kind for kind, verb in door.behind}
    parts = [ask.about.show() for ask in asks]
    examples = [example for ask in asks for example in ask.examples]
    if examples:
        word = Text("Example:" if len(examples) == 1 else "Examples:", "例:").show()
        parts.append("\n\n".join([word, *examples]))
    if with_methods:
        options = "\n\n".join(
            filter(None, (parameter_help(ask.methods({"of": kind})) for ask, kind in asks.items()))
        )
        title = Text("Methods and their options:", "手法とそのオプション:").show()
        parts += [f"{title}\n\n{options}"] if options else []
    return "\n\n".join(parts)


def _parameters(door: Door) -> dict[str, tuple[Any, Any]]:
    """Name, type and option of everything that some kind behind the door may be asked."""
    return {
        python_name(name): (bool if name == JSON else one.type | None, _shown(door, name, one))
        for name, one in declared(door).items()
    }


def _shown(door: Door, name: str, one: Declared) -> Any:
    """The option as Typer shows it."""
    if one.field is not None:
        return _option(name, one, _told(one.field, _fields(door, name), len(door.behind)))
    if name == JSON:
        told = Text("one JSON document on stdout", "JSON を標準出力へ").show()
        return typer.Option(one.written, help=told)
    if name == FORMAT and not one.hidden:
        told = Text("file format", "ファイル形式").show()
        return typer.Option(one.written, help=f"{told} [default: {next(iter(door.formats))}]")
    return typer.Option(one.written, hidden=True)


_METAVARS = {int: "N", float: "X", str: "TEXT"}


def _fields(door: Door, name: str) -> list[Field[Any]]:
    """The option as every kind that has it declares it."""
    every = (options_of(verb.ask()) for _, verb in door.behind)
    return [options[name] for options in every if name in options]


def _told(one: Field[Any], alike: Sequence[Field[Any]], kinds: int) -> str:
    """The help of an option, with what is true of it for all kinds: needed, or its default."""
    said: str = one.metadata["help"].show()
    needed = [field.default is MISSING and field.default_factory is MISSING for field in alike]
    if all(needed) and len(alike) == kinds:
        return f"{said}  [required]"
    value = one.default
    plain = value is MISSING or isinstance(value, bool) or value in (None, "", "auto", ())
    told = "(default" in one.metadata["help"].en
    if plain or told or any(field.default != value for field in alike):
        return said
    return f"{said}  [default: {written(value)}]"


def _option(name: str, one: Declared, told: str) -> Any:
    limits: dict[str, Any] = {} if one.least is None else {"min": one.least}
    plain = plain_type(one.hint)
    shown = _METAVARS.get(plain)
    if get_origin(plain) is tuple:
        shown = "2-20|2,3" if get_args(plain)[0] is int else "A,B"
    elif get_origin(plain) is dict:
        shown = "KEY=VALUE"
    elif get_origin(plain) is list:
        shown = "TEXT"
    if one.positional:
        return typer.Argument(metavar=name.upper(), help=told)
    return typer.Option(one.written, metavar=shown, help=told, hidden=one.hidden, **limits)

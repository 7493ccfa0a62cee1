"""`tokumei methods`: what there is, in words and with parameters and defaults."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from tokumei.cli.options import Json, Seed
from tokumei.core.text import Text

Name = Annotated[
    str | None,
    typer.Argument(
        metavar="NAME",
        help=Text("Show only what has this name, in full", "この名前のものだけを詳しく表示").show(),
        show_default=False,
    ),
]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        help=Text(
            "List anonymizers, attacks, measures and rules: what they do, and their parameters.\n\n"
            "Example:  tokumei methods mondrian",
            "匿名加工手法・攻撃・指標・規則について、内容とパラメータを一覧します。\n\n"
            "例:  tokumei methods mondrian",
        ).show()
    )(methods)


def methods(name: Name = None, seed: Seed = None, json: Json = False) -> None:
    """List everything that can be named."""
    from tokumei.cli.console import print_json, print_table

    found = _all(name)
    if json:
        print_json(found)
        return
    for part, items in found.items():
        rows = [[_named(item), _parameters(item), item["about"]] for item in items]
        heads = ["", Text("parameters", "パラメータ").show(), ""]
        print_table(Text(part, part), heads, rows)
        if name is not None:
            for item in items:
                print_table(Text(name, name), ["", ""], _facts(item))


def _all(name: str | None) -> dict[str, list[dict[str, Any]]]:
    """Everything by kind of data and of method; with a name, only what has it."""
    from tokumei.core.errors import UnknownNameError
    from tokumei.kinds import all_kinds

    parts = {
        f"{kind.name}.{part}": registry
        for kind in all_kinds()
        for part, registry in kind.registries.items()
    }
    names = {one for registry in parts.values() for one in registry.names()}
    if name is not None and name not in names:
        raise UnknownNameError(Text("method", "手法"), name, sorted(names))
    listed = {
        part: [_describe(one, registry.get(one)) for one in registry.names() if name in (None, one)]
        for part, registry in parts.items()
    }
    return {part: items for part, items in listed.items() if items or name is None}


def _describe(name: str, kind: Any) -> dict[str, Any]:
    """All that a class says of itself, as plain data."""
    import dataclasses

    from tokumei.core.registry import required_params
    from tokumei.core.words import sentence_of

    parameters = {}
    for field in dataclasses.fields(kind):
        made = field.default_factory
        default = field.default if made is dataclasses.MISSING else made()
        parameters[field.name] = "required" if field.name in required_params(kind) else default
    title = getattr(kind, "title", Text(name, name))
    found = {"name": name, "parameters": parameters, "title": title.show()}
    return {**found, "about": sentence_of(kind).show(), **_readable(kind)}


def _readable(kind: Any) -> dict[str, Any]:
    """Formula, unit, goal, bounds, limits and what is needed, as far as a class has them."""
    found: dict[str, Any] = {}
    for key in ("formula", "unit", "goal", "bounds", "limits", "needs"):
        value = getattr(kind, key, None)
        if value is None or value in ("", ()):
            continue
        if key == "limits":
            value = {"good": value.good, "fair": value.mid}
        if key == "bounds":
            value = [None if abs(end) == float("inf") else end for end in value]
        found[key] = value.show() if isinstance(value, Text) else value
    return found


def _named(item: dict[str, Any]) -> str:
    return f"{item['name']}\n{item['title']}"


def _parameters(item: dict[str, Any]) -> str:
    return ", ".join(f"{name}={value}" for name, value in item["parameters"].items())


def _facts(item: dict[str, Any]) -> list[list[str]]:
    words = {
        "formula": Text("formula", "式"),
        "unit": Text("unit", "単位"),
        "goal": Text("better", "良い方向"),
        "bounds": Text("bounds", "範囲"),
        "limits": Text("limits", "目安"),
        "needs": Text("needs", "必要なもの"),
    }
    return [[words[key].show(), str(item[key])] for key in words if key in item]

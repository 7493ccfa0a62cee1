"""`tokumei methods`: what there is, with parameters and defaults."""

from __future__ import annotations

from typing import Any

import typer

from tokumei.cli.options import Json, Seed
from tokumei.core.text import Text


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        help=Text(
            "List anonymizers, attacks, measures and rules with their parameters.\n\n"
            "Example:  tokumei methods --json",
            "匿名加工手法・攻撃・指標・規則とパラメータの一覧。\n\n例:  tokumei methods --json",
        ).show()
    )(methods)


def methods(seed: Seed = None, json: Json = False) -> None:
    """List everything that can be named."""
    from tokumei.cli.console import print_json, print_table
    from tokumei.kinds import all_kinds

    kinds = {
        f"{kind.name}.{part}": registry
        for kind in all_kinds()
        for part, registry in kind.registries.items()
    }
    found = {kind: [_describe(n, r.get(n)) for n in r.names()] for kind, r in kinds.items()}
    if json:
        print_json(found)
        return
    for kind, items in found.items():
        rows = [
            [i["name"], ", ".join(f"{p}={v}" for p, v in i["parameters"].items()), i["about"]]
            for i in items
        ]
        print_table(Text(kind, kind), ["", Text("parameters", "パラメータ").show(), ""], rows)


def _describe(name: str, kind: Any) -> dict[str, Any]:
    import dataclasses

    from tokumei.core.registry import required_params

    parameters = {}
    for field in dataclasses.fields(kind):
        made = field.default_factory
        default = field.default if made is dataclasses.MISSING else made()
        parameters[field.name] = "required" if field.name in required_params(kind) else default
    title = getattr(kind, "title", None)
    about = title.show() if title else (kind.__doc__ or "").strip().splitlines()[0]
    return {"name": name, "parameters": parameters, "about": about}

"""`tokumei methods`: what there is, in words and with parameters and defaults."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

from tokumei.cli.options import PrintingCommand
from tokumei.core.ask import option
from tokumei.core.errors import UnknownNameError
from tokumei.core.options import seed_option
from tokumei.core.registry import required_params
from tokumei.core.text import Text

name_option = partial(
    option,
    "Show only what has this name, in full",
    "この名前のものだけを詳しく表示",
    positional=True,
)

FACTS = {
    "formula": Text("formula", "式"),
    "unit": Text("unit", "単位"),
    "goal": Text("better", "良い値"),
    "bounds": Text("range", "範囲"),
    "limits": Text("limits", "目安"),
    "needs": Text("needs", "必要な列"),
}


@dataclass(frozen=True, kw_only=True)
class ListMethods(PrintingCommand):
    """List everything that can be named."""

    about: ClassVar = Text(
        "List anonymizers, attacks, measures and rules: what they do, and their parameters.",
        "匿名加工手法・攻撃・指標・規則について、内容とパラメータを一覧します。",
    )
    examples: ClassVar = ("tokumei methods mondrian",)

    name: str | None = name_option(default=None)
    seed: int | None = seed_option()

    def run(self, *, as_json: bool) -> int:
        """Run the command; return its exit code."""
        from tokumei.cli.console import print_json

        found = _all(self.name)
        if as_json:
            print_json(found)
            return 0
        for part, items in found.items():
            print(f"\n{part}\n")
            for item in items:
                print(_lines(item, whole=self.name is not None))
        return 0


def _all(name: str | None) -> dict[str, list[dict[str, Any]]]:
    """Everything by kind of data and of method; with a name, only what has it."""
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
    for key in FACTS:
        value = getattr(kind, key, None)
        if value is None or value in ("", ()):
            continue
        if key == "limits":
            value = {"good": value.good, "fair": value.mid}
        if key == "bounds":
            value = [None if abs(end) == float("inf") else end for end in value]
        found[key] = value.show() if isinstance(value, Text) else value
    return found


def _lines(item: dict[str, Any], *, whole: bool) -> str:
    """A name with its title, its sentence, its parameters and, if asked for, all the rest."""
    named = f"  {item['name']}  {item['title']}"
    given = ", ".join(_parameter(*one) for one in item["parameters"].items())
    facts = [(Text("parameters", "パラメータ"), given)] if given else []
    if whole:
        facts += [(words, _shown(key, item)) for key, words in FACTS.items() if key in item]
    listed = [f"      {words.show()}: {fact}" for words, fact in facts]
    return "\n".join([named, f"      {item['about']}", *listed])


def _shown(key: str, item: dict[str, Any]) -> str:
    value = item[key]
    if key == "limits":
        sign = "≥" if item["goal"] == "maximize" else "≤"
        good, fair = Text("good", "良好"), Text("fair", "注意")
        return f"{good.show()} {sign} {value['good']}, {fair.show()} {sign} {value['fair']}"
    if key == "goal":
        larger, smaller = Text("larger", "大きいほど"), Text("smaller", "小さいほど")
        return (larger if value == "maximize" else smaller).show()
    if key == "bounds":
        low, high = ("∞" if end is None else f"{end:g}" for end in value)
        return f"{low} – {high}"
    return ", ".join(value) if isinstance(value, tuple) else str(value)


def _parameter(name: str, default: Any) -> str:
    """A parameter with its default; one that is empty by default stands alone."""
    return name if default in ("", (), None) or default == {} else f"{name}={default}"

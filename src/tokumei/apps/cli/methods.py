"""`tokumei methods`: describes methods, attacks and measures with parameters and defaults."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from tokumei.apps.cli.converters import MethodClass
from tokumei.apps.cli.printing_command import PrintingCommand
from tokumei.core.command import option
from tokumei.core.errors import UnknownNameError
from tokumei.core.messages import Message
from tokumei.core.registry import required_params
from tokumei.core.shared_options import seed_option

name_option = partial(option, "show only what has this name, in full", positional=True)

FACT_LABELS = {
    "formula": Message("formula"),
    "unit": Message("unit"),
    "goal": Message("better"),
    "bounds": Message("range"),
    "limits": Message("limits"),
    "needs": Message("needs"),
}


@dataclass(frozen=True, kw_only=True)
class ListMethods(PrintingCommand):
    """List everything that can be named."""

    about: ClassVar = Message(
        "List anonymizers, attacks, measures and rules: what they do, and their parameters."
    )
    examples: ClassVar = ("tokumei methods mondrian",)

    name: str | None = name_option(default=None)
    seed: int | None = seed_option()

    def run(self, *, as_json: bool) -> int:
        """Run the command; return its exit code."""
        from tokumei.apps.cli.console import print_json

        methods_by_registry = _collect_methods(self.name)
        if as_json:
            print_json(
                {
                    part: [method.as_json() for method in methods]
                    for part, methods in methods_by_registry.items()
                }
            )
            return 0
        for part, methods in methods_by_registry.items():
            print(f"\n{part}\n")
            for method in methods:
                print(_format_method(method, whole=self.name is not None))
        return 0


@dataclass(frozen=True)
class MethodDescription:
    """The name of a method, its parameters with their defaults, and its facts by their key."""

    name: str
    parameters: dict[str, object]
    title: str
    about: str
    facts: dict[str, object]

    def as_json(self) -> dict[str, object]:
        """Plain data; the facts stand beside the other fields."""
        fields = {name: value for name, value in vars(self).items() if name != "facts"}
        return fields | self.facts


def _collect_methods(name: str | None) -> dict[str, list[MethodDescription]]:
    """Everything by kind of data and of method; with a name, only what has it."""
    from tokumei.kinds import all_kinds

    parts = {
        f"{kind.name}.{part}": registry
        for kind in all_kinds()
        for part, registry in kind.registries.items()
    }
    names = {method_name for registry in parts.values() for method_name in registry.names()}
    if name is not None and name not in names:
        raise UnknownNameError(Message("method"), name, sorted(names))
    listed = {
        part: [
            _describe_method(method_name, registry.get(method_name))
            for method_name in registry.names()
            if name in (None, method_name)
        ]
        for part, registry in parts.items()
    }
    return {part: items for part, items in listed.items() if items or name is None}


def _describe_method(name: str, method_class: MethodClass) -> MethodDescription:
    from tokumei.core.described import describe_class

    assert dataclasses.is_dataclass(method_class)
    parameters: dict[str, object] = {}
    for field in dataclasses.fields(method_class):
        factory = field.default_factory
        default = field.default if factory is dataclasses.MISSING else factory()
        parameters[field.name] = (
            "required" if field.name in required_params(method_class) else default
        )
    title = getattr(method_class, "title", Message.verbatim(name))
    about = describe_class(method_class).show()
    return MethodDescription(name, parameters, title.show(), about, _method_facts(method_class))


def _method_facts(method_class: MethodClass) -> dict[str, object]:
    """Formula, unit, goal, bounds, limits and what is needed, as far as a class has them."""
    facts: dict[str, object] = {}
    for key in FACT_LABELS:
        value = getattr(method_class, key, None)
        if value is None or value in ("", ()):
            continue
        if key == "limits":
            value = {"good": value.good, "fair": value.mid}
        if key == "bounds":
            value = [None if abs(end) == float("inf") else end for end in value]
        facts[key] = value.show() if isinstance(value, Message) else value
    return facts


def _format_method(method: MethodDescription, *, whole: bool) -> str:
    """A name with its title, its sentence, its parameters and, if asked for, all the rest."""
    heading = f"  {method.name}  {method.title}"
    parameters_text = ", ".join(
        _format_parameter(*parameter) for parameter in method.parameters.items()
    )
    facts = [(Message("parameters"), parameters_text)] if parameters_text else []
    if whole:
        facts += [
            (label, _format_fact(key, method.facts))
            for key, label in FACT_LABELS.items()
            if key in method.facts
        ]
    fact_lines = [f"      {label.show()}: {fact}" for label, fact in facts]
    return "\n".join([heading, f"      {method.about}", *fact_lines])


def _format_fact(key: str, facts: Mapping[str, object]) -> str:
    value = facts[key]
    if isinstance(value, dict):  # limits
        sign = "≥" if facts["goal"] == "maximize" else "≤"
        good, fair = f"{sign} {value['good']}", f"{sign} {value['fair']}"
        return Message("good {good}, fair {fair}", good=good, fair=fair).show()
    if key == "goal":
        larger, smaller = Message("larger"), Message("smaller")
        return (larger if value == "maximize" else smaller).show()
    if isinstance(value, list):  # bounds
        low, high = ("∞" if end is None else f"{end:g}" for end in value)
        return f"{low} – {high}"
    return ", ".join(value) if isinstance(value, tuple) else str(value)


def _format_parameter(name: str, default: object) -> str:
    """A parameter with its default; one that is empty by default stands alone."""
    return name if default in ("", (), None) or default == {} else f"{name}={default}"

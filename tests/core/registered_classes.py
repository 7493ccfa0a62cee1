"""Every registered class and every object that is imported late, held against its type.

    python tests/core/registered_classes.py >program.py && mypy program.py    # as `make lint` does

A method that lacks a word, a parameter or a function that its kind asks for is an error there. The
program that is printed adds each class to its registry once more, and gives each late object to a
name of the type of its field; it is not meant to run.
"""

from __future__ import annotations

from collections.abc import Iterator

from tokumei.cli.dispatch import ACROSS, OF_NO_KIND
from tokumei.core.kind import DEFAULT_COMMANDS, DEFAULT_JUDGES, DEFAULT_RECIPE, Kind
from tokumei.core.lazy import LazyObject
from tokumei.kinds import BUILT_IN, all_kinds

COMMAND = "type[tokumei.core.ask.Ask]"
JUDGE = "type[tokumei.core.judging.FormatJudge[typing.Any, typing.Any]]"
RECIPE = "type[tokumei.core.recipe.Recipe]"
TYPES = ["ask", "conformity", "judging", "kind", "recipe"]


def late_objects() -> Iterator[tuple[str, LazyObject[object]]]:
    """Every object of the package that is imported late, after the type of its field."""
    for built_in in BUILT_IN:
        yield "tokumei.core.kind.Kind", built_in
    for kind in all_kinds():
        yield from _late_objects_of(kind)
    for command in (*OF_NO_KIND.values(), *(verb.command for verb in DEFAULT_COMMANDS.values())):
        yield COMMAND, command
    for verbs in ACROSS.values():
        yield from ((COMMAND, verb.command) for verb in verbs.values())
    yield from ((JUDGE, judge) for judge in DEFAULT_JUDGES.values())
    yield RECIPE, DEFAULT_RECIPE


def _late_objects_of(kind: Kind) -> Iterator[tuple[str, LazyObject[object]]]:
    yield "tokumei.core.kind.KindServices", kind.services
    yield from (("type[typing.Any]", source) for source in kind.sources)
    yield from ((COMMAND, verb.command) for verb in kind.verbs.values())
    yield RECIPE, kind.recipe_class
    yield from ((JUDGE, judge) for judge in kind.judges.values())
    yield from (("tokumei.core.kind.MakeDossier", make) for make in kind.conformity.values())
    if kind.make_contribution is not None:
        yield "tokumei.core.kind.MakeContribution", kind.make_contribution
    if kind.make_adviser is not None:
        yield "tokumei.core.kind.MakeAdviser", kind.make_adviser


def program() -> str:
    """Lines that only a type checker reads."""
    lines = ["import typing", *(f"import tokumei.core.{name}" for name in TYPES)]
    for kind in all_kinds():
        home = f"{kind.home}.registry"
        lines.append(f"import {home}")
        for part, registry in kind.registries.items():
            for name in registry.names():
                found = registry.get(name)
                lines.append(f"import {found.__module__}")
                place = f"{found.__module__}.{found.__qualname__}"
                lines.append(f"{home}.{part}.add({name!r}, {place})")
    for number, (type_name, late) in enumerate(late_objects()):
        lines.append(f"import {late.module}")
        lines.append(f"late_{number}: {type_name} = {late.module}.{late.name}")
    return "\n".join(lines)


if __name__ == "__main__":
    print(program())

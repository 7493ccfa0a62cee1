"""Every registered class and every object that is imported late, held against its type.

    python tests/core/registered_classes.py >program.py && mypy program.py    # as `make lint` does

A method that lacks a word, a parameter or a function that its kind asks for is an error there. The
program that is printed adds each class to its registry once more, and gives each late object to a
name of the type of its field; it is not meant to run.
"""

from __future__ import annotations

from collections.abc import Iterator

from tokumei.apps.cli.dispatch import CROSS_KIND_COMMANDS, KINDLESS_COMMANDS
from tokumei.core.data_kind import DEFAULT_COMMANDS, DEFAULT_JUDGES, DEFAULT_RECIPE, DataKind
from tokumei.core.lazy_imports import LazyObject
from tokumei.kinds import BUILTIN_KINDS, all_kinds

COMMAND = "type[tokumei.core.command.Command]"
JUDGE = "type[tokumei.core.format_judge.FormatJudge[typing.Any, typing.Any]]"
RECIPE = "type[tokumei.core.recipe.Recipe]"
TYPES = ["command", "data_kind", "format_judge", "recipe"]
REGISTRY_NAMES = {"rules": "claim_checks"}
"""What a registry is called in code where people are shown another word."""


def late_objects() -> Iterator[tuple[str, LazyObject[object]]]:
    """Every object of the package that is imported late, after the type of its field."""
    for built_in in BUILTIN_KINDS:
        yield "tokumei.core.data_kind.DataKind", built_in
    for kind in all_kinds():
        yield from _late_objects_of(kind)
    for command in (
        *KINDLESS_COMMANDS.values(),
        *(verb.command for verb in DEFAULT_COMMANDS.values()),
    ):
        yield COMMAND, command
    for verbs in CROSS_KIND_COMMANDS.values():
        yield from ((COMMAND, verb.command) for verb in verbs.values())
    yield from ((JUDGE, judge) for judge in DEFAULT_JUDGES.values())
    yield RECIPE, DEFAULT_RECIPE


def _late_objects_of(kind: DataKind) -> Iterator[tuple[str, LazyObject[object]]]:
    yield "tokumei.core.data_kind.KindServices", kind.services
    yield from (("type[typing.Any]", source) for source in kind.sources)
    yield from ((COMMAND, verb.command) for verb in kind.verbs.values())
    yield RECIPE, kind.recipe_class
    yield from ((JUDGE, judge) for judge in kind.judges.values())
    yield from (("tokumei.core.data_kind.MakeDossier", make) for make in kind.conformity.values())
    if kind.make_contribution is not None:
        yield "tokumei.core.data_kind.MakeContribution", kind.make_contribution
    if kind.make_adviser is not None:
        yield "tokumei.core.data_kind.MakeAdviser", kind.make_adviser


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
                registry_name = REGISTRY_NAMES.get(part, part)
                lines.append(f"{home}.{registry_name}.add({name!r}, {place})")
    for number, (type_name, late) in enumerate(late_objects()):
        lines.append(f"import {late.module}")
        lines.append(f"late_{number}: {type_name} = {late.module}.{late.name}")
    return "\n".join(lines)


if __name__ == "__main__":
    print(program())

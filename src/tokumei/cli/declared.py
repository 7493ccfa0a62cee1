"""The options of a command as all kinds behind its door declare them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import Field
from typing import Any, Literal, NamedTuple

from tokumei.cli.doors import Door
from tokumei.cli.values import command_type
from tokumei.core.ask import options_of
from tokumei.core.registry import hints_of

JSON, FORMAT, SEED, UNUSED_SEED = "json", "format", "seed", "seed_unused"


class Declared(NamedTuple):
    """One option: how it is written, its type on the command line, the field behind it, if any."""

    written: str
    type: Any
    hidden: bool = False
    hint: Any = None
    field: Field[Any] | None = None

    @property
    def about(self) -> Mapping[str, Any]:
        """What its field says of it."""
        return {} if self.field is None else self.field.metadata

    @property
    def positional(self) -> bool:
        """Whether it is given without its name."""
        return bool(self.about.get("positional"))

    @property
    def least(self) -> float | None:
        """The least number that may be given."""
        return self.about.get("least")


def declared(door: Door) -> dict[str, Declared]:
    """Everything that some kind behind the door may be asked, by name."""
    found: dict[str, Declared] = {}
    for _, verb in door.behind:
        ask = verb.ask()
        hints = hints_of(ask)
        for name, one in options_of(ask).items():
            kind, seen = command_type(hints[one.name]), found.get(name)
            if seen is None or seen.hidden:
                dashed, hidden = f"--{name.replace('_', '-')}", one.metadata["hidden"]
                found[name] = Declared(dashed, kind, hidden, hints[one.name], one)
            elif seen.type != kind:
                found[name] = seen._replace(type=str)
            for alias in one.metadata["aliases"]:
                found.setdefault(alias, Declared(f"--{alias}", kind, hidden=True))
    if door.formats:
        choice = Literal[tuple(door.formats)]  # type: ignore[valid-type]
        found[FORMAT] = Declared("--format", choice, hidden=len(door.formats) == 1)
    if SEED not in found:
        # Every command takes a seed; where nothing is drawn, there is nothing to repeat.
        found[UNUSED_SEED] = Declared("--seed", int, hidden=True)
    found[JSON] = Declared("--json", bool)
    return found

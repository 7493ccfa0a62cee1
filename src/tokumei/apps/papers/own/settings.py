"""Settings of a study as `--set` gives them: text is read as the numbers or names that are meant.

settings = StudySettings({"k": "2-20", "qi": "age,sex"}, {"k": "2-10", "qi": None, "rows": 0})
settings.integers("k")      # (2, 3, …, 20)
settings.names("qi")        # ("age", "sex")
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from tokumei.core.errors import UnknownNameError, UsageError
from tokumei.core.messages import Message
from tokumei.core.option_parsing import parse_integers, parse_pairs, split_names

Choice = TypeVar("Choice", bound=str)


@dataclass(frozen=True)
class StudySettings:
    """What was set, and the defaults of all that can be set."""

    given: Mapping[str, object]
    defaults: Mapping[str, object]

    def __post_init__(self) -> None:
        for name in self.given:
            if name not in self.defaults:
                raise UnknownNameError(Message("setting"), name, list(self.defaults))

    def value(self, name: str) -> object:
        """What was set, or the default."""
        given = self.given.get(name)
        return self.defaults[name] if given is None else given

    def text(self, name: str) -> str:
        """A text; empty if there is none."""
        value = self.value(name)
        return "" if value is None else str(value)

    def choice(self, name: str, allowed: Sequence[Choice]) -> Choice:
        """One of a few words."""
        for word in allowed:
            if word == self.value(name):
                return word
        raise UnknownNameError(Message("value"), self.text(name), allowed, where=f"--set {name}")

    def integer(self, name: str) -> int:
        """A whole number."""
        value = self.value(name)
        if isinstance(value, bool) or not isinstance(value, int):
            raise UsageError(
                "--set {name}: '{given}' is not a whole number", name=name, given=value
            )
        return value

    def number(self, name: str) -> float:
        """A number."""
        value = self.value(name)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise UsageError("--set {name}: '{given}' is not a number", name=name, given=value)
        return float(value)

    def integers(self, name: str) -> tuple[int, ...]:
        """Whole numbers: 2-20, 2,3,6 or a list."""
        return parse_integers(_join_list(self.value(name)), f"--set {name}")

    def names(self, name: str) -> tuple[str, ...] | None:
        """Names; None if none were given."""
        value = self.value(name)
        return None if value is None else split_names(_join_list(value))

    def pairs(self, name: str) -> dict[str, str]:
        """Names with what they stand for: customer=ID,day=Date."""
        value = self.value(name)
        if isinstance(value, Mapping):
            return {str(key): str(part) for key, part in value.items()}
        return parse_pairs(split_names(self.text(name)), f"--set {name}")


def _join_list(value: object) -> str:
    """A list as the command line writes it."""
    return ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)

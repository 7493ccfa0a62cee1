"""Protocols of registered classes: name, title and sentence.

    anonymizers.get("noise").title.show("ja")       # "ノイズ付加"
    attackers.get("linkage").sentence.show()
    rules.build("k-anonymity", {"k": 5, "columns": ["age"]}).words().show()

A registered class is called and explained where it is written. Reports, `tokumei methods` and the
documentation read the words there; nothing else knows them by name. Measures: `core/measure.py`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Protocol, TypeVar, cast

from tokumei.core.errors import UnknownNameError, Violation
from tokumei.core.messages import Message, join_messages
from tokumei.core.registry import Registry

Submission = TypeVar("Submission", contravariant=True)
MAX_NAMED_COLUMNS = 4
"""More columns than these are counted, not listed."""


class Described(Protocol):
    """Whatever a registry holds: frozen dataclasses, whose fields are their parameters."""

    __dataclass_fields__: ClassVar[dict[str, Any]]
    name: ClassVar[str]
    title: ClassVar[Message]
    """A few words, as a heading."""
    sentence: ClassVar[Message]
    """One plain sentence: what it does, or what it tells."""


class Anonymizer(Described, Protocol):
    """Base protocol of anonymizers; each kind of data adds the method that is called."""

    relabels: ClassVar[bool] = False
    """Whether only the link is changed: attack rates against it then prove nothing."""

    def done(self) -> Message:
        """The title with the parameters that differ from their defaults, for a report."""
        defaults = {parameter.name: parameter.default for parameter in dataclasses.fields(self)}
        values = {name: getattr(self, name) for name in defaults}
        return append_params(
            self.title,
            {key: value for key, value in values.items() if value and value != defaults[key]},
        )


class Attacker(Described, Protocol):
    """Base protocol of attacks."""

    formula: ClassVar[str] = ""
    needs: ClassVar[tuple[str, ...]] = ()
    """Roles of the columns (tables) or columns (histories) that it works with."""


class ClaimCheck(Described, Protocol[Submission]):
    """A property that a submission has or has not; its parameters are dataclass fields."""

    def words(self) -> Message:
        """The property with these parameters, as a claim: a clause without a full stop."""

    def check(self, submission: Submission, *, source: Any = None) -> list[Violation]:
        """Every violation, the worst first; `source` for rules that compare with the original."""


RegisteredClass = TypeVar("RegisteredClass")


def find_registered(registry: Registry[RegisteredClass], name: str) -> type[RegisteredClass] | None:
    """The class of that name; None for one that is not registered here."""
    try:
        return registry.get(name)
    except UnknownNameError:
        return None


def find_title(registry: Registry[RegisteredClass], name: str) -> Message:
    """The title of what has that name; the name itself where there is none."""
    return cast(Message, getattr(find_registered(registry, name), "title", Message.verbatim(name)))


def describe_class(kind: type[object]) -> Message:
    """A class's sentence, or the first line of its docstring if it has none."""
    about = ((kind.__doc__ or "").strip().splitlines() or [""])[0]
    return cast(Message, getattr(kind, "sentence", Message.verbatim(about)))


def format_column_names(
    names: Sequence[str], otherwise: Message | None = None, most: int = MAX_NAMED_COLUMNS
) -> Message:
    """Names of columns joined, or counted when there are more than `most`."""
    if not names and otherwise:
        return otherwise
    if len(names) > most:
        return Message("{count} column", plural="{count:,} columns", count=len(names))
    return join_messages(Message("{name}", context="a column in a list", name=n) for n in names)


def append_params(title: Message, params: Mapping[str, object]) -> Message:
    """A title with parameters behind it."""
    param_text = ", ".join(f"{key} = {value}" for key, value in params.items())
    if not param_text:
        return title
    return Message("{title} ({params})", title=title, params=param_text)

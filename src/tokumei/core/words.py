"""What everything that has a name says of itself, in both languages.

    anonymizers.get("noise").title.ja       # "ノイズ付加"
    attackers.get("linkage").sentence.en
    rules.build("k-anonymity", {"k": 5, "columns": ["age"]}).words().en

A registered class is called and explained where it is written. Reports, `tokumei methods` and the
documentation read the words there; nothing else knows them by name. Measures: `core/measure.py`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Protocol, TypeVar, cast

from tokumei.core.errors import Fault, UnknownNameError
from tokumei.core.registry import Registry
from tokumei.core.text import Text

Submission = TypeVar("Submission", contravariant=True)
MOST_NAMED = 4
"""More columns than these are counted, not listed."""


class Named(Protocol):
    """Whatever a registry holds: frozen dataclasses, whose fields are their parameters."""

    __dataclass_fields__: ClassVar[dict[str, Any]]
    name: ClassVar[str]
    title: ClassVar[Text]
    """A few words, as a heading."""
    sentence: ClassVar[Text]
    """One plain sentence: what it does, or what it tells."""


class Anonymizer(Named, Protocol):
    """What all anonymizers say of themselves; each kind of data adds how it is called."""

    relabels: ClassVar[bool] = False
    """Whether only the link is changed: attack rates against it then prove nothing."""

    def done(self) -> Text:
        """What was done, with the parameters that differ from their defaults, for a report."""
        usual = {part.name: part.default for part in dataclasses.fields(self)}
        given = {name: getattr(self, name) for name in usual}
        return listed(self.title, {n: one for n, one in given.items() if one and one != usual[n]})


class Attacker(Named, Protocol):
    """What all attacks say of themselves."""

    formula: ClassVar[str] = ""
    needs: ClassVar[tuple[str, ...]] = ()
    """Roles of the columns (tables) or columns (histories) that it works with."""


class Rule(Named, Protocol[Submission]):
    """A property that a submission has or has not; its parameters are dataclass fields."""

    def words(self) -> Text:
        """The property with these parameters, as a claim: a clause without a full stop."""

    def check(self, submission: Submission, *, source: Any = None) -> list[Fault]:
        """Every violation, the worst first; `source` for rules that compare with the original."""


Class = TypeVar("Class")


def known(registry: Registry[Class], name: str) -> type[Class] | None:
    """The class of that name; None for one that is not registered here."""
    try:
        return registry.get(name)
    except UnknownNameError:
        return None


def title_of(registry: Registry[Any], name: str) -> Text:
    """The title of what has that name; the name itself where there is none."""
    return cast(Text, getattr(known(registry, name), "title", Text(name, name)))


def sentence_of(kind: type[Any]) -> Text:
    """What a class does: its sentence, else the first line of what its author wrote."""
    about = ((kind.__doc__ or "").strip().splitlines() or [""])[0]
    return cast(Text, getattr(kind, "sentence", Text(about, about)))


def columns_text(
    names: Sequence[str], otherwise: Text | None = None, most: int = MOST_NAMED
) -> Text:
    """Names of columns joined, or counted when there are more than `most`."""
    if not names and otherwise:
        return otherwise
    if len(names) > most:
        return Text(f"{len(names)} columns", f" {len(names)} 列")
    return Text(", ".join(names), "".join(f"「{name}」" for name in names))


def listed(title: Text, params: Mapping[str, Any]) -> Text:
    """A title with parameters behind it."""
    shown = ", ".join(f"{key} = {value}" for key, value in params.items())
    return Text(f"{title.en} ({shown})", f"{title.ja} ({shown})") if shown else title

"""The tree of errors meant for users, and `Violation`.

    TokumeiError
    ├── UsageError            a wrong name, parameter or combination             exit 2
    │   └── UnknownNameError  no such method, column, key; says the nearest one
    ├── InputError            a file or frame that cannot be used                exit 2
    │   └── TooWideError      it has more columns than can be handled
    ├── OutputError           nothing could be written                           exit 2
    ├── ClaimError            the data breaks a rule or a release its claim      exit 1
    └── Defect                a bug of ours, as the command line tells it        exit 2

Anything else that escapes is a bug of ours. Messages are translated (`Message`) and never hold
anything from the secret part of a release.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tokumei.core.fields import field_name
from tokumei.core.json_types import JsonObject
from tokumei.core.messages import Message, as_message, join_messages, join_sentences

MAX_SHOWN_VIOLATIONS = 20
MAX_LISTED_VIOLATIONS = 1000
"""How many violations are looked up where there may be very many."""


@dataclass(frozen=True, kw_only=True)
class Violation:
    """One problem, with its place: file line (1-based, header included) and column where known."""

    rule: str
    message: Message
    line: int | None = None
    column: str | None = None

    def as_json(self) -> JsonObject:
        """The fault in the shape of the command line contract."""
        location = {"line": self.line, "column": self.column}
        return {**location, "rule": self.rule, **self.message.as_json("message")}


class TokumeiError(Exception):
    """Base of all errors meant for the user."""

    exit_code = 2

    def __init__(
        self,
        message: Message | str,
        /,
        *,
        faults: Sequence[Violation] = (),
        total: int | None = None,
        field: str | None = None,
        value: object = None,
        **values: object,
    ) -> None:
        """From a `Message`, or from its English sentence and its values.

        `field` is the field of the request that is wrong, by its name there, `value` what it was
        given: a form marks it. Sentences name it by `core.fields`, as the front end writes it.
        """
        self.message = as_message(message, **values)
        super().__init__(self.message)
        self.faults = tuple(faults)[:MAX_SHOWN_VIOLATIONS]
        self.total = total if total is not None else len(faults)
        self.field = field
        self.value = value

    def __str__(self) -> str:
        return "\n".join([self.message.show(), *self._violation_lines()])

    def _violation_lines(self) -> list[str]:
        lines = [f"  - {fault.message.show()}" for fault in self.faults]
        if self.total > len(self.faults):
            rest = self.total - len(self.faults)
            lines.append(f"  {Message('… and {rest:,} more', rest=rest).show()}")
        return lines

    def as_json(self) -> JsonObject:
        """The one JSON shape of all errors."""
        return {
            "ok": False,
            "error": type(self).__name__,
            **self.message.as_json("message"),
            "total": self.total,
            "faults": [fault.as_json() for fault in self.faults],
            **({} if self.field is None else {"field": self.field}),
        }


class Defect(TokumeiError):
    """Something that must not happen did: our fault, not the user's."""


class UsageError(TokumeiError):
    """The call itself is wrong."""


class UnknownNameError(UsageError):
    """A name that does not exist; names the nearest one that does, and all, or where they are."""

    def __init__(
        self,
        what: Message,
        name: str,
        valid: Iterable[str],
        *,
        where: str = "",
        see: str = "",
        faults: Sequence[Violation] = (),
        field: str | None = None,
    ) -> None:
        """`where` is the place; without one, it is the field of the request that holds the name."""
        where = field_name(field) if field is not None and not where else where
        names = sorted(set(valid))
        # The dashes that all options have make none of them like another.
        names_without_dashes = {valid_name.lstrip("-"): valid_name for valid_name in names}
        close_matches = difflib.get_close_matches(
            name.lstrip("-"), names_without_dashes, n=1, cutoff=0.5
        )
        self.name = name
        self.nearest = names_without_dashes[close_matches[0]] if close_matches else None
        sentences = [Message("unknown {what} '{name}'.", what=what, name=name)]
        if where:
            sentences = [
                Message("{where}: unknown {what} '{name}'.", where=where, what=what, name=name)
            ]
        if self.nearest:
            sentences.append(Message("Did you mean '{nearest}'?", nearest=self.nearest))
        if see:
            sentences.append(Message("See '{see}'", see=see))
        else:
            sentences.append(Message("Valid: {names}", names=join_messages(names)))
        super().__init__(join_sentences(sentences), faults=faults, field=field, value=name)


class InputError(TokumeiError):
    """A file or frame that cannot be used as it is."""


class TooWideError(InputError):
    """More columns than can be handled."""


class OutputError(TokumeiError):
    """Nothing was written, and why."""


class ClaimError(TokumeiError):
    """The data violates a claim or a rule."""

    exit_code = 1

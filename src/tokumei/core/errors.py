"""What can go wrong, as one tree.

    TokumeiError
    ├── UsageError            a wrong name, parameter or combination             exit 2
    │   └── UnknownNameError  no such method, column, key; says the nearest one
    ├── InputError            a file or frame that cannot be used                exit 2
    │   └── TooWideError      it has more columns than can be handled
    ├── OutputError           nothing could be written                           exit 2
    ├── ClaimError            the data breaks a rule or a release its claim      exit 1
    └── Defect                a bug of ours, as the command line tells it        exit 2

Anything else that escapes is a bug of ours. Messages are bilingual (`Text`) and never hold
anything from the secret part of a release.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from tokumei.core.fields import field_name
from tokumei.core.text import Text

FAULTS_SHOWN = 20
LISTED = 1000
"""How many violations are looked up where there may be very many."""


@dataclass(frozen=True, kw_only=True)
class Fault:
    """One problem, with its place: file line (1-based, header included) and column where known."""

    rule: str
    message: Text
    line: int | None = None
    column: str | None = None

    def as_json(self) -> dict[str, Any]:
        """The fault in the shape of the command line contract."""
        place = {"line": self.line, "column": self.column}
        return {**place, "rule": self.rule, **self.message.as_json("message")}


class TokumeiError(Exception):
    """Base of all errors meant for the user."""

    exit_code = 2

    def __init__(
        self,
        message: Text | str,
        ja: str = "",
        *,
        faults: Sequence[Fault] = (),
        total: int | None = None,
        field: str | None = None,
        value: object = None,
    ) -> None:
        """From a sentence in both languages, given as one `Text` or as two.

        `field` is the field of the request that is wrong, by its name there, `value` what it was
        given: a form marks it. Sentences name it by `core.fields`, as the front end writes it.
        """
        self.message = message if isinstance(message, Text) else Text(message, ja)
        super().__init__(self.message)
        self.faults = tuple(faults)[:FAULTS_SHOWN]
        self.total = total if total is not None else len(faults)
        self.field = field
        self.value = value

    def __str__(self) -> str:
        return "\n".join([self.message.show(), *self._fault_lines()])

    def _fault_lines(self) -> list[str]:
        lines = [f"  - {fault.message.show()}" for fault in self.faults]
        if self.total > len(self.faults):
            rest = self.total - len(self.faults)
            lines.append(Text(f"  … and {rest} more", f"  … ほか {rest} 件").show())
        return lines

    def as_json(self) -> dict[str, Any]:
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
        what: Text,
        name: str,
        valid: Iterable[str],
        *,
        where: str = "",
        see: str = "",
        faults: Sequence[Fault] = (),
        field: str | None = None,
    ) -> None:
        """`where` is the place; without one, it is the field of the request that holds the name."""
        where = field_name(field) if field is not None and not where else where
        names = sorted(set(valid))
        # The dashes that all options have make none of them like another.
        bare = {one.lstrip("-"): one for one in names}
        near = difflib.get_close_matches(name.lstrip("-"), bare, n=1, cutoff=0.5)
        self.name = name
        self.nearest = bare[near[0]] if near else None
        place = f"{where}: " if where else ""
        listed = ", ".join(names)
        end = Text(f" Valid: {listed}", f" 使える名前: {listed}")
        if see:
            end = Text(f" See '{see}'", f" '{see}' を参照してください")
        super().__init__(
            Text(
                f"{place}unknown {what.en} '{name}'."
                + (f" Did you mean '{self.nearest}'?" if near else "")
                + end.en,
                f"{place}{what.ja} '{name}' はありません。"
                + (f"'{self.nearest}' のことですか?" if near else "")
                + end.ja,
            ),
            faults=faults,
            field=field,
            value=name,
        )


class InputError(TokumeiError):
    """A file or frame that cannot be used as it is."""


class TooWideError(InputError):
    """More columns than can be handled."""


class OutputError(TokumeiError):
    """Nothing was written, and why."""


class ClaimError(TokumeiError):
    """The data does not keep what was claimed of it."""

    exit_code = 1

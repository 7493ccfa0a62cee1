"""The request of a candidate: plain data that makes the same release again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tokumei.core.json_types import JsonObject
from tokumei.core.registry import build_params

GENERALIZE, PROTECT, KEEP_UNCHANGED, DROP = TREATMENTS = ("generalize", "protect", "pass", "drop")
"""The treatments of a column in a request."""


@dataclass(frozen=True)
class Request:
    """A request to `anonymize`, as plain data.

    `kind` is the kind of data; `steps` the methods with their parameters, one after the other;
    `columns` the treatment of every column of the source: `generalize` (QI), `protect` (SA), `pass`
    or `drop`; `person` the column that tells people apart ("none": every row is another person,
    "": nobody said); `consent` columns that the owner named although they may identify people;
    `reading` how the source is read, as options of the command.
    """

    kind: str
    steps: tuple[Mapping[str, Any], ...]
    columns: Mapping[str, str] = field(default_factory=dict)
    person: str = ""
    consent: tuple[str, ...] = ()
    reading: Mapping[str, object] = field(default_factory=dict)

    def columns_with_treatment(self, fate: str) -> list[str]:
        """The columns with a treatment, in the order of the source."""
        return [name for name, column_fate in self.columns.items() if column_fate == fate]

    @property
    def method(self) -> str:
        """The names of the methods, as `--method` takes them."""
        return ",".join(str(step["method"]) for step in self.steps)

    @property
    def k(self) -> int | None:
        """The k of the first step that has one."""
        return next((int(step["k"]) for step in self.steps if "k" in step), None)

    def as_json(self) -> JsonObject:
        """Plain data, from which `from_json` makes the same request."""
        return {
            **vars(self),
            "steps": [dict(step) for step in self.steps],
            "columns": dict(self.columns),
            "consent": list(self.consent),
            "reading": dict(self.reading),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, object]) -> Request:
        """The request of plain data."""
        return build_params(cls, data, where="request")

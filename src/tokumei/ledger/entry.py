"""An entry of the ledger: hashes, schema, counts and codes of one release; no values."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, TypeAlias

from tokumei.core.json_types import JsonObject
from tokumei.core.messages import Message

BEGIN_EVENT, RELEASED_EVENT, VOID_EVENT, INIT_EVENT, FORGET_EVENT = (
    "begin",
    "released",
    "void",
    "init",
    "forget",
)


LedgerEvent: TypeAlias = Mapping[str, Any]
"""A line of the ledger as JSON tells it: `event`, and what that event says."""
ClaimRecord: TypeAlias = Mapping[str, Any]
"""A claim as a manifest tells it: `rule` and `params`."""


@dataclass(frozen=True, kw_only=True)
class LedgerEntry:
    """What is recorded of a release; `public` is where its file stands, seen from the ledger."""

    number: int
    name: str
    kind: str
    recipient: str
    made: str
    public: str
    sha256: str
    rows: int
    people: int
    known: int
    k: int | None = None
    """The k that the release claims."""
    claims: tuple[ClaimRecord, ...] = ()
    method: str = ""
    columns: Mapping[str, str] = field(default_factory=dict)
    cells: tuple[str, ...] = ()
    sensitive: tuple[str, ...] = ()
    linked: bool = True
    """Whether it is known which row is whose."""
    repeated: int = 0
    labels: str = ""
    chance: str = ""
    """A mark of the seed or key, by which its second use is seen."""
    recipe: str = ""
    """A mark of what was done to which source."""
    files: Mapping[str, str] = field(default_factory=dict)
    """The hashes of the files in `classes`."""
    version: int = 0
    """How often people were taken out of them."""

    @property
    def file_stem(self) -> str:
        """How its files in `classes` begin."""
        return f"{self.number:04d}" + (f"-{self.version}" if self.version else "")

    def as_event(self) -> JsonObject:
        """As a line tells it."""
        return {"event": BEGIN_EVENT, **asdict(self)}

    @classmethod
    def of(cls, event: LedgerEvent) -> LedgerEntry:
        """From a line."""
        names = {entry_field.name for entry_field in fields(cls)}
        values = {key: value for key, value in event.items() if key in names}
        for name in ("claims", "cells", "sensitive"):
            values[name] = tuple(values[name])
        return cls(**values)

    def as_json(self) -> JsonObject:
        """What `ledger show` tells."""
        release_fields = ("number", "name", "kind", "recipient", "made", "public", "sha256", "rows")
        count_fields = ("people", "known", "k", "method", "sensitive", "linked", "repeated")
        return {name: getattr(self, name) for name in (*release_fields, *count_fields)}


def strip_claim_values(claim: ClaimRecord) -> JsonObject:
    """A claim's rule, columns and numbers: no value that a condition may name."""
    kept_params = {
        key: value
        for key, value in claim["params"].items()
        if isinstance(value, int | float) or key in ("columns", "sensitive")
    }
    return {"rule": claim["rule"], "params": kept_params}


def largest_claimed_k(claims: tuple[ClaimRecord, ...]) -> int | None:
    """The largest k that is claimed of a release."""
    claimed = [
        int(claim["params"]["k"])
        for claim in claims
        if claim["rule"] in ("k-anonymity", "k-per-person", "identical-histories")
        and "k" in claim["params"]
    ]
    return max(claimed, default=None)


def today_iso() -> str:
    """The date of a release that is made now."""
    return datetime.date.today().isoformat()


def describe_settlement(entry: LedgerEntry, path: Path, *, stands: bool) -> Message:
    """How a release is counted whose writer was killed."""
    if stands:
        return Message(
            "release '{name}' was interrupted after its file was in place: it counts as released",
            name=entry.name,
        )
    return Message(
        "release '{name}' was interrupted before its file was in place at {path}: it counts as "
        "never released; if a copy was handed out all the same, record it with: tokumei ledger add",
        name=entry.name,
        path=path,
    )

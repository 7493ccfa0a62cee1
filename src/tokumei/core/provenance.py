"""Claims and provenance of a release: how it was made and how a search ended."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from typing import Any

from tokumei.core.json_types import JsonObject, as_json_text
from tokumei.core.messages import Message

SEEDED_WARNING = Message(
    "made with a seed, for experiments: whoever has the source can try all small seeds and work "
    "out which row is whose; for publication leave --seed out, or use --key"
)


KEY_BYTES = 32
LARGEST_SEED = 2**63 - 1
"""A larger number is a key: random bits that nobody can search."""


def is_key(seed: int | None) -> bool:
    """Whether a seed has the 256 bits of a key."""
    return seed is not None and seed > LARGEST_SEED


def describe_randomness_source(seed: int | None) -> str:
    """Where chance comes from, in a word."""
    if seed is None:
        return "os"
    return "keyed" if is_key(seed) else "seeded"


@cache
def _library_versions() -> dict[str, str]:
    return {name: version(name) for name in ("numpy", "polars", "scipy")}


@dataclass(frozen=True)
class Claim:
    """A claim about the public part that anyone can recompute: a rule and its parameters."""

    rule: str
    params: Mapping[str, Any]

    def as_json(self) -> JsonObject:
        """The claim as plain data."""
        return {"rule": self.rule, "params": dict(self.params)}


@dataclass(frozen=True)
class SearchOutcome:
    """How a method's search ended: its loss, and whether none of its kind can lose less."""

    method: str
    optimal: bool
    loss: float
    note: Message

    def as_json(self) -> JsonObject:
        """Plain data; the note by language."""
        note: JsonObject = {**self.note.texts()}
        return {"method": self.method, "optimal": self.optimal, "loss": self.loss, "note": note}


@dataclass(frozen=True)
class Provenance:
    """How a release came about. The seed and the source's hash stay on the secret side."""

    steps: tuple[Mapping[str, Any], ...] = ()
    source_sha256: str | None = field(default=None, repr=False)
    seed: int | None = field(default=None, repr=False)
    searches: tuple[SearchOutcome, ...] = ()

    @property
    def recipe_hash(self) -> str:
        """The hash of methods and parameters in their order: equal where the same was done to data.

        Neither data nor seed is in it, so it is the same when the recipe is run on other data.
        """
        steps = json.loads(as_json_text([dict(step) for step in self.steps]))
        text = json.dumps(steps, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        return sha256(text.encode()).hexdigest()

    @property
    def notes(self) -> list[Message]:
        """Warnings to whoever makes the release."""
        return [SEEDED_WARNING] if self.seed is not None and not is_key(self.seed) else []

    def as_json(self, *, public: bool) -> JsonObject:
        """Plain data; with `public`, without what would help an attacker redo the run."""
        from tokumei._version import __version__

        open_part: JsonObject = {
            "steps": [dict(step) for step in self.steps],
            "recipe_hash": self.recipe_hash,
            "versions": {"tokumei": __version__, **_library_versions()},
            "randomness": describe_randomness_source(self.seed),
        }
        if self.notes:
            open_part["randomness_note"] = {**SEEDED_WARNING.texts()}
        if self.searches:
            open_part["searches"] = [search.as_json() for search in self.searches]
        if public:
            return open_part
        seed = None if is_key(self.seed) else self.seed
        return open_part | {"source_sha256": self.source_sha256, "seed": seed}

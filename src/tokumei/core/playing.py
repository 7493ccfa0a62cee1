"""Who plays a demonstration of a contest: teams of bots, and the module that plays for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

Parameters = Mapping[str, Any]


@dataclass(frozen=True)
class BotTeam:
    """A team: its name, its captain, its releases (the last is published), its attack."""

    name: str
    captain: str
    releases: tuple[Parameters, ...]
    attack: str
    careless: bool = False
    """Whether its first upload breaks rules."""


class Player(Protocol):
    """The module of a kind that plays contests of one format (`FormatJudge.player`)."""

    TEAMS: Sequence[BotTeam]

    def read_source(self, folder: Path) -> Any:
        """The original in a folder of the contest's files."""
        ...

    def made_release(self, source: Any, parameters: Parameters, *, seed: int) -> bytes:
        """A release as a file to upload."""
        ...

    def with_faults(self, release: bytes, source: Any) -> bytes:
        """The release of somebody in a hurry, which breaks several rules."""
        ...

    def made_guess(self, folder: Path, public: Path, *, name: str, method: str, seed: int) -> bytes:
        """The file of this name in a guess about a public file, by an attack's name."""
        ...

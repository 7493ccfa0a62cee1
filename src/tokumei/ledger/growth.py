"""Joint risk as it grew: the figures of the first release, of the first two, and so on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tokumei.ledger.entry import Entry
from tokumei.ledger.linked import Linked, figures_of, joint, linked_figures
from tokumei.ledger.together import Together


@dataclass(frozen=True)
class Step:
    """The releases up to one: of the people in all of them, and of everyone in any."""

    name: str
    everywhere: Linked
    anyone: Linked

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "release": self.name,
            "everywhere": self.everywhere.as_json(),
            "anyone": self.anyone.as_json(),
        }


def growth(
    all_: Together, entries: Sequence[Entry], known: Sequence[int], k: int | None, sensitive: int
) -> list[Step]:
    """A step for every release whose link is known."""
    return [
        Step(
            entries[last].name,
            linked_figures(all_, known[: place + 1], k, sensitive),
            anyone(all_, known[: place + 1], k),
        )
        for place, last in enumerate(known)
    ]


def anyone(all_: Together, chosen: Sequence[int], k: int | None) -> Linked:
    """Everyone in any of the releases; not to be in one is told, too."""
    people = np.flatnonzero((all_.place[:, list(chosen)] >= 0).any(axis=1))
    found = joint([all_.classes[people, one] for one in chosen])
    return figures_of(found, k, np.zeros(len(people), dtype=bool))

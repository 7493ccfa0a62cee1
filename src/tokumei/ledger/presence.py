"""Joint presence: how surely people who fit the classes of all releases are in them.

δ of a class is n_c / N_c, its rows over the people of the source who fit it (Nergiz et al. 2007);
of several releases, the product of a person's δ.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tokumei.ledger.together import Together

SURE = 0.9


@dataclass(frozen=True)
class Presence:
    """The product of the people's δ: mean, largest, and the share of people at .9 or more."""

    mean: float
    largest: float
    sure: float

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        return dict(vars(self))


def presence(all_: Together, chosen: Sequence[int]) -> Presence | None:
    """Of the people in all of the chosen releases; None where it is not known who else fits."""
    people = np.flatnonzero(all_.present(chosen))
    if not len(people) or any("covered" not in all_.releases[i].people.columns for i in chosen):
        return None
    found = np.ones(len(people))
    for one in chosen:
        classes = all_.releases[one].number("class")
        sizes = np.bincount(classes + 1)
        covered = np.maximum(all_.taken("covered", one, people), 1)
        found *= np.minimum(sizes[all_.classes[people, one] + 1] / covered, 1.0)
    return Presence(float(found.mean()), float(found.max()), float((found >= SURE).mean()))

"""Can a sensitive value be inferred? Guesses by the release, against the same guesses for others.

Success on members against success on people who are not in the data, with the same attack: what
works on both is knowledge of the population, not leakage.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from scipy import sparse

from tokumei.core.text import Text
from tokumei.tables.audit.figures import Interval, risk_above_control
from tokumei.tables.audit.guessers import TITLES, Guesser
from tokumei.tables.audit.matching import Matched, Matching
from tokumei.tables.audit.seen import Seen
from tokumei.tables.audit.sensitive import Sensitive

PROBABLE = 0.9
BANDS = (0.0, 0.25, 0.5, 0.75, 0.9, 0.99, 1.0)
MOST_FREQUENT = "most frequent"


@dataclass(frozen=True)
class Guessed:
    """One attack: success on both sides, the risk above the control, and how sure it was.

    `certain`: members for whom every released row that fits has the same value; `probable`:
    members guessed with a probability of at least .9; each with the share that is right.
    """

    name: str
    title: Text
    members: float
    control: float
    risk: Interval
    matched: Matched
    certain: int
    certain_right: float | None
    probable: int
    probable_right: float | None
    calibration: tuple[tuple[float, float, int, float], ...]

    def as_json(self) -> dict[str, Any]:
        """As plain data."""
        return {
            **Matched(self.members, self.control, self.risk).as_json(),
            "matched": self.matched.as_json(),
            "certain": self.certain,
            "certain_right": self.certain_right,
            "probable": self.probable,
            "probable_right": self.probable_right,
            "calibration": [
                {"from": low, "to": high, "members": count, "right": right}
                for low, high, count, right in self.calibration
            ],
        }


@dataclass(frozen=True)
class Attribute:
    """All attacks on a sensitive column; `strongest` by the risk, at the corrected level.

    `baselines`: success on members and control without the release.
    """

    column: str
    attacks: dict[str, Guessed]
    strongest: str
    corrected: Interval
    baselines: dict[str, tuple[float, float]]
    untold: int
    tolerance: float | None

    @property
    def best(self) -> Guessed:
        """The strongest attack."""
        return self.attacks[self.strongest]

    def as_json(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "attacks": {name: one.as_json() for name, one in self.attacks.items()},
            "strongest": {"attack": self.strongest, **self.corrected.as_json()},
            "baselines": {
                name: {"members": m, "control": c} for name, (m, c) in self.baselines.items()
            },
            "released_without_value": self.untold,
            "tolerance": self.tolerance,
        }


def attribute(seen: Seen, sensitive: Sensitive, member: np.ndarray, column: str) -> Attribute:
    """Make all guesses and judge them; `member` tells who of the targets is one."""
    guesser = Guesser(seen, sensitive)
    judge = _Judge(seen, sensitive, member, guesser)
    made = guesser.chances()
    attacks = {name: judge.guessed(name, chances) for name, chances in made.items()}
    best = max(attacks, key=lambda name: attacks[name].risk.value)
    right = judge.right(made[best])
    return Attribute(
        column,
        attacks,
        best,
        judge.risk(right, 1 - 0.05 / len(attacks)),
        judge.baselines(),
        int((sensitive.released < 0).sum()),
        sensitive.tolerance,
    )


@dataclass(frozen=True, eq=False)
class _Judge:
    """Compares guesses with what is true of the targets."""

    seen: Seen
    sensitive: Sensitive
    member: np.ndarray
    guesser: Guesser

    @cached_property
    def usual(self) -> int:
        """The most frequent value of the release, of numbers the median."""
        counts = np.bincount(self.sensitive.released[self.sensitive.released >= 0], minlength=1)
        often = int(counts.argmax())
        if self.sensitive.tolerance is not None and counts.sum():
            often = int(np.searchsorted(np.cumsum(counts), counts.sum() / 2))
        return often

    @cached_property
    def _matching(self) -> Matching:
        return Matching.of(self.seen, self.member)

    @property
    def truth(self) -> np.ndarray:
        """What is true of the targets."""
        return self.sensitive.known[: self.seen.targets]

    def right(self, chances: sparse.csr_array) -> np.ndarray:
        """Which targets are guessed right; who fits nothing is guessed the most frequent value."""
        guess = self.sensitive.guesses(chances)
        guess = np.where(guess < 0, self.usual, guess)
        return self.sensitive.right(self.seen.of_targets(guess), self.truth)

    def risk(self, right: np.ndarray, level: float = 0.95) -> Interval:
        """Above the control."""
        m, c = right[self.member], right[~self.member]
        return risk_above_control(int(m.sum()), len(m), int(c.sum()), len(c), level)

    def guessed(self, name: str, chances: sparse.csr_array) -> Guessed:
        """All figures of one attack."""
        right = self.right(chances)
        sure = self._posterior(chances)
        certain, only_right = self._certain
        probable = (sure >= PROBABLE) & self.member
        return Guessed(
            name,
            TITLES[name],
            float(right[self.member].mean()),
            float(right[~self.member].mean()),
            self.risk(right),
            self._matching.risk(right),
            int(certain.sum()),
            _share(only_right[certain]),
            int(probable.sum()),
            _share(right[probable]),
            tuple(_bands(sure[self.member], right[self.member])),
        )

    @cached_property
    def _certain(self) -> tuple[np.ndarray, np.ndarray]:
        """For which members all rows that fit say the same, and of whom it is true."""
        fitting = self.guesser.fitting
        certain = self.seen.of_targets(self.sensitive.certain(fitting)) & self.member
        only = self.seen.of_targets(self.sensitive.guesses(fitting))
        return certain, self.sensitive.right(only, self.truth)

    def baselines(self) -> dict[str, tuple[float, float]]:
        """Guesses that need no release, or only its most frequent value."""
        usual = self.sensitive.right(np.full(len(self.truth), self.usual), self.truth)
        found = {MOST_FREQUENT: usual}
        if (known := self.guesser.population) is not None:
            found["reference"] = self.right(known)
        return {
            name: (float(right[self.member].mean()), float(right[~self.member].mean()))
            for name, right in found.items()
        }

    def _posterior(self, chances: sparse.csr_array) -> np.ndarray:
        """How sure every target's guess is: the likeliest value's share of the weight."""
        total = np.asarray(chances.sum(axis=1)).ravel()
        top = chances.max(axis=1).toarray().ravel() if chances.nnz else np.zeros(len(total))
        share = np.divide(top, total, out=np.zeros(len(total)), where=total > 0)
        return self.seen.of_targets(share)


def _share(right: np.ndarray) -> float | None:
    return float(right.mean()) if len(right) else None


def _bands(sure: np.ndarray, right: np.ndarray) -> list[tuple[float, float, int, float]]:
    """Members guessed with a probability in each band, and the share of them that is right."""
    found = []
    for low, high in pairwise(BANDS):
        inside = (sure >= low) & ((sure < high) | (high == 1.0))
        if inside.any():
            found.append((low, high, int(inside.sum()), float(right[inside].mean())))
    return found

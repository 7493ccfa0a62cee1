"""What an attack on a released table sees."""

from __future__ import annotations

from dataclasses import dataclass, field

from tokumei.core.randomness import Randomness
from tokumei.tables.attackers.protocol import Attacker
from tokumei.tables.data.guess import Guess
from tokumei.tables.data.knowledge import Knowledge
from tokumei.tables.data.table import Table


@dataclass(frozen=True, eq=False)
class TableChallenge:
    """The released rows in the order the attacker gets them, and the rows the attacker knows."""

    public: Table = field(repr=False)
    known: Knowledge = field(repr=False)

    def put_to(self, attacker: Attacker, *, rng: Randomness) -> Guess:
        """For every released row, which known row it might be."""
        return attacker.attack(self.public, self.known, rng=rng)

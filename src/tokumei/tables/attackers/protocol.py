"""What an attacker is."""

from __future__ import annotations

from typing import Protocol

from tokumei.core import words
from tokumei.core.randomness import Randomness
from tokumei.tables.data.guess import Guess, Knowledge
from tokumei.tables.data.table import Table


class Attacker(words.Attacker, Protocol):
    """Says for every released row which known row it might be. Never sees the secret."""

    def attack(self, public: Table, knowledge: Knowledge, *, rng: Randomness) -> Guess:
        """The attacker's answer; ties stay ties, `rng` serves methods that need chance."""
        ...

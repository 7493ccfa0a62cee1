"""Taking turns with a few things, fairly between groups of askers.

    turns = Turns(processes)
    process = turns.take(team, seconds=10)      # None: not in time
    turns.give(process, team, spent=0.4)

Next is who belongs to the group that holds the fewest things now, and of these to the one whose
last turn is longest ago. A group that used much time in the last minute is told no at once.
"""

from __future__ import annotations

import itertools
import threading
import time
from collections import Counter, defaultdict, deque
from collections.abc import Hashable, Iterable
from typing import Generic, TypeVar

Thing = TypeVar("Thing")
WINDOW = 60.0
MOST_SPENT = 20.0
"""Seconds of turns that a group may use in the last minute."""


class Turns(Generic[Thing]):
    """Things, and who waits for one."""

    def __init__(self, things: Iterable[Thing]) -> None:
        self._free = list(things)
        self._ready = threading.Condition()
        self._tickets = itertools.count()
        self._waiting: dict[int, Hashable] = {}
        self._held: Counter[Hashable] = Counter()
        self._last: dict[Hashable, int] = {}
        self._spent: defaultdict[Hashable, deque[tuple[float, float]]] = defaultdict(deque)

    def take(self, group: Hashable, *, seconds: float) -> Thing | None:
        """A thing when it is this asker's turn; None if that does not come in time."""
        with self._ready:
            if self._used(group) >= MOST_SPENT:
                return None
            ticket = next(self._tickets)
            self._waiting[ticket] = group
            mine = self._ready.wait_for(lambda: self._is_next(ticket), seconds)
            del self._waiting[ticket]
            self._ready.notify_all()
            if not mine:
                return None
            self._held[group] += 1
            self._last[group] = ticket
            return self._free.pop()

    def give(self, thing: Thing, group: Hashable, *, spent: float = 0.0) -> None:
        """Put a thing back, and say how long it was used."""
        with self._ready:
            self._free.append(thing)
            self._held[group] -= 1
            self._held += Counter()  # forgets groups that hold nothing
            if group is not None:
                self._spent[group].append((time.monotonic(), spent))
            self._ready.notify_all()

    def _is_next(self, ticket: int) -> bool:
        return bool(self._free) and min(self._waiting, key=self._order) == ticket

    def _order(self, ticket: int) -> tuple[int, int, int]:
        group = self._waiting[ticket]
        return self._held[group], self._last.get(group, -1), ticket

    def _used(self, group: Hashable) -> float:
        used = self._spent.get(group)
        if used is None:
            return 0.0
        while used and used[0][0] < time.monotonic() - WINDOW:
            used.popleft()
        if not used:
            del self._spent[group]
        return sum(spent for _, spent in used)

"""How patterns group an attribute's values, whatever their words cost or are called.

    partitions = Partitions(73)
    place = partitions.place(up)          # the same for every pattern that groups alike
    partitions.told(0, place)             # the group in `place` of every value

Groups are numbered as they first occur, so equal partitions are equal arrays; 0 is every value for
itself. `middle` groups values that hardly any coarse pattern tells apart: a step on the way down.
"""

from __future__ import annotations

import numpy as np

FINEST = 0
ABSENT = -1


class Partitions:
    """The partitions of one attribute that were met so far."""

    def __init__(self, values: int) -> None:
        self._ups: list[np.ndarray] = []
        self._places: dict[bytes, int] = {}
        self._told: dict[tuple[int, int], np.ndarray | None] = {}
        self.sizes: list[int] = []
        self.telling = np.ones((1, 1), dtype=bool)
        """`[p, q]`: whether p tells the groups of q; the last one is the attribute's absence."""
        self.middle = FINEST
        self.place(np.arange(values))

    def place(self, up: np.ndarray) -> int:
        """The place of a partition, found or new."""
        groups = by_first(up)[0].astype(narrow(len(up)))
        key = groups.tobytes()
        if key not in self._places:
            self._add(key, groups)
            self._choose_middle()
        return self._places[key]

    def told(self, p: int, q: int) -> np.ndarray | None:
        """For every group of p that of q; None if p does not tell it."""
        if (p, q) not in self._told:
            fine, coarse = self._ups[p], self._ups[q]
            told = np.zeros(self.sizes[p], dtype=coarse.dtype)
            told[fine] = coarse
            self._told[p, q] = told if bool((told[fine] == coarse).all()) else None
        return self._told[p, q]

    def _add(self, key: bytes, groups: np.ndarray) -> int:
        place = self._places[key] = len(self._ups)
        self._ups.append(groups)
        self.sizes.append(int(groups.max()) + 1)
        count = len(self._ups)
        telling = np.zeros((count + 1, count + 1), dtype=bool)
        telling[:, ABSENT] = True
        for p in range(count):
            for q in range(count):
                telling[p, q] = self.told(p, q) is not None
        self.telling = telling
        return place

    def _choose_middle(self) -> None:
        """The common refinement of all partitions with at most half as many groups as values."""
        half = self.sizes[FINEST] / 2
        coarse = [up for up, size in zip(self._ups, self.sizes, strict=True) if size <= half]
        if not coarse:
            return
        keys = np.zeros(len(self._ups[FINEST]), dtype=np.int64)
        for up in coarse:
            keys = by_first(keys * self.sizes[FINEST] + up)[0]
        groups = keys.astype(self._ups[FINEST].dtype)
        key = groups.tobytes()
        self.middle = self._places[key] if key in self._places else self._add(key, groups)


def narrow(numbers: int) -> type[np.integer]:
    """As few bytes as numbers below this need."""
    return np.uint8 if numbers <= 2**8 else np.uint16 if numbers <= 2**16 else np.int64


def by_first(up: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Groups numbered as they first occur, and the old number of each."""
    old, first, places = np.unique(up, return_index=True, return_inverse=True)
    order = np.argsort(first)
    new = np.empty(len(old), dtype=np.int64)
    new[order] = np.arange(len(old))
    return new[places], old[order]

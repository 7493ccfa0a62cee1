"""How large the groups of a candidate are: counted once, for every k and every price.

    groups = Groups(problem)
    groups.sizes(candidate).smallest
    groups.sizes(candidate).rows_below(5)

A deleted attribute is an absent one, so a candidate over some attributes is a marginal table. Every
table is rolled up from the smallest kept one that refines it, never from the rows again.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tokumei.price.problem import DELETE, Candidate, PriceProblem

MOST_CELLS = 1 << 24
"""Up to so many possible groups are counted in place; above, keys are sorted."""
MOST_KEPT = 8_000_000
"""Groups kept in tables, all together (about 20 bytes each)."""
MOST_NUMBERS = 1 << 62


@dataclass(frozen=True)
class Sizes:
    """Which group sizes occur (ascending), and the rows in groups up to each."""

    sizes: np.ndarray
    rows: np.ndarray

    @property
    def smallest(self) -> int:
        """The smallest group."""
        return int(self.sizes[0])

    def smallest_from(self, k: int) -> int:
        """The smallest group of at least k; 0 if there is none."""
        place = int(np.searchsorted(self.sizes, k))
        return int(self.sizes[place]) if place < len(self.sizes) else 0

    def rows_below(self, k: int) -> int:
        """How many rows are in groups smaller than k."""
        place = int(np.searchsorted(self.sizes, k))
        return int(self.rows[place - 1]) if place else 0


@dataclass(frozen=True, eq=False)
class GroupTable:
    """Groups with their counts; `words[j]` is every group's word in attribute j (None: deleted)."""

    candidate: Candidate
    words: tuple[np.ndarray | None, ...]
    counts: np.ndarray


class Groups:
    """Tables and sizes of a problem's candidates, kept for good."""

    def __init__(self, problem: PriceProblem) -> None:
        self._attributes = problem.attributes
        self._sizes: dict[Candidate, Sizes] = {}
        self._original = tuple(one.place("original") for one in problem.attributes)
        words = tuple(
            _small(one.patterns[place].up)[codes]
            for one, place, codes in zip(
                problem.attributes, self._original, problem.codes.T, strict=True
            )
        )
        base = GroupTable(self._original, words, problem.counts)
        self._by_columns = {tuple(range(len(words))): [base]}
        self._tables = {self._original: base}
        self._kept = len(problem.counts)

    def sizes(self, candidate: Candidate) -> Sizes:
        """The group sizes of a candidate."""
        if candidate not in self._sizes:
            self._sizes[candidate] = _sizes(self.table(candidate).counts)
        return self._sizes[candidate]

    def table(self, candidate: Candidate) -> GroupTable:
        """The groups of a candidate."""
        if candidate in self._tables:
            return self._tables[candidate]
        columns = tuple(place for place, chosen in enumerate(candidate) if chosen != DELETE)
        marginal = tuple(
            place if j in columns else DELETE for j, place in enumerate(self._original)
        )
        if columns not in self._by_columns:
            self._keep(columns, self._rolled_up(self._wider(columns), marginal))
        if candidate in self._tables:
            return self._tables[candidate]
        able = (table for table in self._by_columns[columns] if self._tells(table, candidate))
        made = self._rolled_up(min(able, key=lambda table: len(table.counts)), candidate)
        if self._kept + len(made.counts) <= MOST_KEPT:
            self._keep(columns, made)
        return made

    def _keep(self, columns: tuple[int, ...], table: GroupTable) -> None:
        self._kept += len(table.counts)
        self._by_columns.setdefault(columns, []).append(table)
        self._tables[table.candidate] = table

    def _wider(self, columns: tuple[int, ...]) -> GroupTable:
        """The smallest table of original words over these columns and more."""
        able = (kept[0] for wider, kept in self._by_columns.items() if set(columns) <= set(wider))
        return min(able, key=lambda table: len(table.counts))

    def _tells(self, table: GroupTable, coarser: Candidate) -> bool:
        chosen = zip(self._attributes, table.candidate, coarser, strict=True)
        return all(q == DELETE or bool(one.refinement[p, q]) for one, p, q in chosen)

    def _rolled_up(self, table: GroupTable, candidate: Candidate) -> GroupTable:
        words: list[np.ndarray | None] = []
        radix = []
        for place, (one, chosen) in enumerate(zip(self._attributes, candidate, strict=True)):
            finer = table.words[place]
            if chosen == DELETE or finer is None:
                words.append(None)
                continue
            told = one.told[table.candidate[place]][chosen]
            words.append(finer if told is None or chosen == table.candidate[place] else told[finer])
            radix.append(len(one.patterns[chosen].words))
        return _grouped(candidate, words, radix, table.counts)


def _grouped(
    candidate: Candidate, words: list[np.ndarray | None], radix: list[int], counts: np.ndarray
) -> GroupTable:
    present = [word for word in words if word is not None]
    if not present:
        return GroupTable(candidate, tuple(words), counts.sum(keepdims=True))
    keys, cells = _keys(present, radix)
    if cells <= min(MOST_CELLS, 32 * len(keys) + 1024):
        summed = np.bincount(keys, weights=counts, minlength=cells)
        some = np.empty(cells, dtype=np.int64)
        some[keys] = np.arange(len(keys))
        found = np.flatnonzero(summed)
        places, sums = some[found], summed[found].astype(np.int64)
    else:
        order = np.argsort(keys, kind="stable")
        ordered = keys[order]
        first = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]])
        places, sums = order[first], np.add.reduceat(counts[order], first)
    kept = tuple(None if word is None else word[places] for word in words)
    return GroupTable(candidate, kept, sums)


def _keys(words: list[np.ndarray], radix: list[int]) -> tuple[np.ndarray, int]:
    """One number per row for its words, and how many numbers are possible."""
    keys, cells = words[0].astype(np.int64), radix[0]
    for word, base in zip(words[1:], radix[1:], strict=True):
        if cells > MOST_NUMBERS // base:
            found, keys = np.unique(keys, return_inverse=True)
            cells = len(found)
        keys = keys * base + word
        cells *= base
    return keys, cells


def _small(codes: np.ndarray) -> np.ndarray:
    """Codes in as few bytes as they need."""
    return codes.astype(np.uint16 if codes.max(initial=0) < 65_536 else np.int64)


def _sizes(counts: np.ndarray) -> Sizes:
    if counts.max() < 4 * len(counts) + 1024:
        groups = np.bincount(counts)
        sizes = np.flatnonzero(groups)
        return Sizes(sizes, np.cumsum(sizes * groups[sizes]))
    sizes, groups = np.unique(counts, return_counts=True)
    return Sizes(sizes, np.cumsum(sizes * groups))

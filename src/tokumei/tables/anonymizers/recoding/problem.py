"""Recoding by hierarchies as arrays: what local recoding and full-domain search work on.

Rows never appear: only distinct tuples of leaf codes with counts. Generalizing column j of a tuple
to level l gives the node `up[j][l, leaf]`, which costs `cost[j][l, leaf]` of the cell (NCP).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tokumei.tables.engines.protocol import Frequencies
from tokumei.tables.hierarchies.hierarchy import Hierarchy


@dataclass(frozen=True, eq=False)
class RecodingProblem:
    """Distinct tuples (tuples × columns) with counts, and for each column its hierarchy's arrays.

    `up[j]` and `cost[j]` are levels × leaves; level 0 is the leaf itself, the last one `*`.
    """

    codes: np.ndarray
    counts: np.ndarray
    up: tuple[np.ndarray, ...]
    cost: tuple[np.ndarray, ...]

    @classmethod
    def of(cls, found: Frequencies, hierarchies: Mapping[str, Hierarchy]) -> RecodingProblem:
        """From an engine's frequencies; a value missing from its hierarchy is an error."""
        chosen = [hierarchies[name] for name in found.columns]
        leaves = [h.leaf_codes(values) for h, values in zip(chosen, found.values, strict=True)]
        codes = np.column_stack([leaf[found.codes[:, j]] for j, leaf in enumerate(leaves)])
        return cls(
            np.ascontiguousarray(codes, dtype=np.int32),
            found.counts.astype(np.int64),
            tuple(h.up for h in chosen),
            tuple(h.ncp() for h in chosen),
        )

    @classmethod
    def tiny(cls) -> RecodingProblem:
        """Two values under one root, one row and three: for k = 2 there is something to lose."""
        up = np.array([[0, 1], [0, 0]], dtype=np.int32)
        codes = np.array([[0], [1]], dtype=np.int32)
        return cls(codes, np.array([1, 3]), (up,), (np.array([[0.0, 0.0], [1.0, 1.0]]),))

    @property
    def columns(self) -> int:
        """How many quasi-identifiers."""
        return int(self.codes.shape[1])

    @cached_property
    def heights(self) -> np.ndarray:
        """The highest level of each column."""
        return np.array([len(up) - 1 for up in self.up], dtype=np.int64)

    @cached_property
    def rows(self) -> int:
        """How many rows there are behind the tuples."""
        return int(self.counts.sum())

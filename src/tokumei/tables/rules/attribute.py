"""One attribute of the rules: which leaves of its hierarchy a wanted value or a cell means.

height = Attribute(hierarchy)
height.leaves(Wanted(low="165", high="171"))
height.cell("[160;169]")            # the leaves that may be behind a released cell
"""

from __future__ import annotations

import difflib
from functools import cached_property

import numpy as np

from tokumei.core.cells import STAR, plain_text
from tokumei.core.errors import InputError
from tokumei.tables.hierarchies.hierarchy import Hierarchy
from tokumei.tables.hierarchies.leaves import NULL_LEAVES, spelled
from tokumei.tables.rules.leaf_order import LeafOrder
from tokumei.tables.rules.rules import Wanted
from tokumei.tables.rules.wanted_text import parse_wanted

MOST_COMPARED = 20_000


class Attribute:
    """A hierarchy, its names and the order of its leaves at hand."""

    def __init__(self, hierarchy: Hierarchy) -> None:
        self.hierarchy = hierarchy

    @property
    def anything(self) -> np.ndarray:
        """All leaves."""
        return np.ones(len(self.hierarchy.leaves), dtype=np.bool_)

    @cached_property
    def nodes(self) -> dict[str, list[tuple[int, int]]]:
        """Level and place of the nodes of every name, the lowest first."""
        found: dict[str, list[tuple[int, int]]] = {}
        for level, names in enumerate(self.hierarchy.names):
            for place, name in enumerate(spelled(names).to_list()):
                found.setdefault(name, []).append((level, place))
        return found

    @cached_property
    def order(self) -> LeafOrder | None:
        """Where the leaves lie, if they are numbers or dates."""
        return LeafOrder.of(self.hierarchy.leaves)

    def leaves(self, wanted: Wanted) -> np.ndarray:
        """Which leaves are wanted; an InputError says what cannot be understood."""
        if wanted.text and plain_text(wanted.text) in self.nodes:
            return self._named(wanted.text)
        if not wanted.values:
            inside = self._range(wanted)
        else:
            inside = np.logical_or.reduce([self._named(value) for value in wanted.values])
        if not inside.any():
            raise InputError(f"'{wanted}' contains no leaf", f"'{wanted}' に当たる葉がない")
        return inside

    def cell(self, text: str | None) -> np.ndarray:
        """Which leaves may be behind a released cell: a node, `[a;b]`, `{x;y}` or `*`.

        A name that several levels have may stand for any of its nodes.
        """
        if text is None:
            text = next((name for name in NULL_LEAVES if name in self.nodes), "")
        if (name := plain_text(text)) in self.nodes:
            return np.asarray(np.any([self.under(*node) for node in self.nodes[name]], axis=0))
        return self.leaves(parse_wanted(text) or Wanted(values=(text,)))

    def under(self, level: int, place: int) -> np.ndarray:
        """The leaves of a node."""
        return np.asarray(self.hierarchy.up[level] == place)

    def _range(self, wanted: Wanted) -> np.ndarray:
        if self.order is None:
            raise InputError(
                f"'{wanted}' is a range, but the leaves are neither numbers nor dates",
                f"'{wanted}' は範囲だが、葉が数値でも日付でもない",
            )
        return self.order.between(wanted)

    def _named(self, value: str) -> np.ndarray:
        name = plain_text(value)
        if name == STAR:
            return self.anything
        if name not in self.nodes:
            near = self._nearest(name)
            raise InputError(
                f"there is no '{value}' in the hierarchy"
                + (f"; did you mean '{near}'?" if near else ""),
                f"階層に '{value}' がない" + (f"。'{near}' のことか" if near else ""),
            )
        return self.under(*self.nodes[name][0])

    def _nearest(self, name: str) -> str | None:
        candidates = list(self.nodes)
        if len(candidates) > MOST_COMPARED:
            candidates = [node for node, places in self.nodes.items() if places[-1][0]]
        near = difflib.get_close_matches(name, candidates[:MOST_COMPARED], n=1, cutoff=0.5)
        return near[0] if near else None

"""What the tests split from test_mining share."""

from __future__ import annotations

from tokumei.tables.hierarchies.hierarchy import Hierarchy

TREES = {
    "a": Hierarchy.of("a", [["1", "low", "*"], ["2", "low", "*"], ["3", "high", "*"]]),
    "b": Hierarchy.of("b", [["x", "*"], ["y", "*"]]),
}

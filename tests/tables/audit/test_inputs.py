"""Tests of tokumei.tables.audit.inputs."""

import polars as pl

from tables.audit.reading_helpers import LABELS
from tokumei.tables.audit.inputs import widen_hierarchies
from tokumei.tables.hierarchies.hierarchy import Hierarchy


def test_a_hierarchy_that_others_made_stays_as_it_is():
    """It has leaves that no member has: what it lacks is an error, not a guess."""
    made = {"town": Hierarchy.of("town", [*LABELS, ["x", "x", "x", "*"]])}
    members = pl.DataFrame({"town": ["a", "c", "e", "g", "k"]})
    assert widen_hierarchies(made, members, pl.DataFrame({"town": ["b"]}))["town"] is made["town"]

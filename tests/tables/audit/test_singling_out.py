"""Predicates against a slow count, row by row."""

import polars as pl

from tokumei.core.randomness import Randomness
from tokumei.tables.audit.released_columns import read_released_columns
from tokumei.tables.audit.singling_out import audit_singling_out


def test_cells_are_boxes():
    members = pl.DataFrame({"age": [23, 27, 31, 44], "ill": ["a", "b", "a", "c"]})
    control = pl.DataFrame({"age": [21, 22, 38, 60], "ill": ["a", "a", "b", "c"]})
    release = pl.DataFrame(
        {"age": ["[20;29]", "[20;29]", "[30;49]", "[30;49]"], "ill": ["a", "b", "a", "c"]}
    )
    columns = read_released_columns(
        ["age", "ill"], release, members, pl.concat([members, control]), {}
    )
    found = audit_singling_out(columns, 4, rng=Randomness(1))[-1]
    assert (found.predicates, found.members, found.control) == (4, 4, 0)


def test_few_predicates_have_no_rate():
    members = pl.DataFrame({"x": ["a"] * 39 + ["b"]})
    columns = read_released_columns(["x"], members, members, pl.concat([members, members]), {})
    (found,) = audit_singling_out(columns, 40, rng=Randomness(1))
    assert (found.predicates, found.risk) == (1, None)

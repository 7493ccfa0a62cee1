"""Tests of tokumei.core.provenance."""

from __future__ import annotations

import polars as pl
import pytest

from support.required_claims import require_claims
from tokumei.core.errors import ClaimError
from tokumei.core.provenance import Claim
from tokumei.files.column_types import encode_dictionary
from tokumei.tables.data.table import Table


@pytest.mark.parametrize("column", ["q", "s"])
def test_one_cell_of_a_compact_release_is_caught(column: str) -> None:
    """Also by a rule that wants text."""
    frame = pl.DataFrame({"q": ["a"] * 4, "s": ["x", "y", "x", "y"]})
    spoiled = frame.with_columns(pl.Series(column, ["x", *frame[column][1:]]))
    claims = [
        Claim("k-anonymity", {"k": 2, "columns": ["q"]}),
        Claim("constant", {"columns": ["q"]}),
        Claim("l-diversity", {"l": 2, "columns": ["q"], "sensitive": ["s"]}),
    ]
    for made, holds in ((frame, True), (spoiled, column == "s")):
        packed = Table.of(made, qi=["q"]).with_frame(
            made.with_columns(map(encode_dictionary, made))
        )
        if holds:
            require_claims(packed, claims)
        else:
            with pytest.raises(ClaimError):
                require_claims(packed, claims)

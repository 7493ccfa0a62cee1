"""k-anonymity counts packed codes first; vectors of any types must stay apart in them."""

from __future__ import annotations

from collections import Counter
from datetime import date, datetime
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.required_claims import require_claims
from tokumei.core.errors import ClaimError
from tokumei.core.provenance import Claim
from tokumei.files.dictionary_encoding import encode_dictionary
from tokumei.tables.data.table import Table
from tokumei.tables.verification.k_anonymity import KAnonymity

COLUMNS: dict[str, tuple[Any, list[Any]]] = {
    "text": (pl.String, ["a", "b", "", "*"]),
    "small": (pl.Int8, [-128, 127, 0]),
    "whole": (pl.Int64, [0, 1, 2**62, -(2**62), 2**63 - 1, -(2**63)]),
    "natural": (pl.UInt64, [0, 1, 2**64 - 1]),
    "near": (pl.Int64, [2**40, 2**40 + 1, 2**60]),
    "real": (pl.Float64, [0.5, 1.0, 1e300]),
    "day": (pl.Date, [date(1, 1, 1), date(2024, 1, 1), date(9999, 12, 31)]),
    "moment": (pl.Datetime, [datetime(2024, 1, 1), datetime(2024, 1, 1, 1)]),
    "truth": (pl.Boolean, [True, False]),
    "listed": (pl.Enum(["x", "y"]), ["x", "y"]),
    "packed": (pl.String, ["p", "q"]),
}


@st.composite
def frames(draw: st.DrawFn) -> pl.DataFrame:
    names = draw(st.lists(st.sampled_from(list(COLUMNS)), min_size=1, max_size=6, unique=True))
    cells = [st.none() | st.sampled_from(COLUMNS[name][1]) for name in names]
    rows = draw(st.lists(st.tuples(*cells), min_size=1, max_size=6))
    rows = rows * draw(st.integers(1, 3)) + rows[:1]
    schema = {name: COLUMNS[name][0] for name in names}
    frame = pl.DataFrame(rows, schema=schema, orient="row")
    return frame.with_columns(encode_dictionary(frame[name]) for name in names if name == "packed")


@given(frame=frames(), k=st.integers(2, 4))
def test_the_rarest_vector_decides(frame: pl.DataFrame, k: int) -> None:
    rare = [count for count in Counter(frame.rows()).values() if count < k]
    faults = KAnonymity(k, tuple(frame.columns)).check(Table.of(frame, qi=frame.columns))
    assert len(faults) == len(rare)


def test_many_columns_need_more_than_one_number() -> None:
    names = [f"c{j}" for j in range(12)]
    frame = pl.DataFrame({name: [f"v{i}" for i in range(1000)] * 2 for name in names})
    table = Table.of(frame, qi=names)
    assert KAnonymity(2, tuple(names)).check(table) == []
    changed = Table.of(frame.with_columns(c11=pl.Series(["w", *frame["c11"][1:]])), qi=names)
    assert len(KAnonymity(2, tuple(names)).check(changed)) == 2


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

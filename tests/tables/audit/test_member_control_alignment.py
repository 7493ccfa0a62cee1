"""Tests of tokumei.tables.audit.member_control_alignment."""

from __future__ import annotations

import polars as pl

from tokumei.tables.audit.member_control_alignment import split_people
from tokumei.tables.data.column_encoding import canonicalize_persons


def test_held_out_people_keep_all_their_spellings() -> None:
    frame = pl.DataFrame({"who": [f"P{i % 100:02d}{' ' * (i // 100)}" for i in range(200)]})
    parts = split_people(frame.with_columns(age=pl.Series(range(200))), person="who", seed=1)
    people = [{*canonicalize_persons(part.frame["who"])} for part in parts.values()]
    assert sum(map(len, people)) == 100

"""Tests of tokumei.core.conformity_case."""

from __future__ import annotations

import numpy as np
import polars as pl

from tables.data.column_encoding_helpers import spelled_people
from tokumei.core.conformity_case import ConformityCase, Roles


def test_conformity_counts_people_not_spellings() -> None:
    release = pl.DataFrame({"age": ["30"] * 7})
    original = spelled_people().select(pl.all().cast(pl.String))
    roles = Roles(person="who", qi=("age",))
    case = ConformityCase(release, np.arange(7) + 2, roles, original=original, origin=np.arange(7))
    assert case.person is not None
    assert len(set(case.person.tolist())) == 3

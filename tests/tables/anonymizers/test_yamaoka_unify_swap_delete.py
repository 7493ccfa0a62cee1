"""C, D/E, G and H: what each leaves alone and what it changes."""

from __future__ import annotations

import polars as pl

from support.paper import D, X
from tables.anonymizers.yamaoka_unify_swap_delete_helpers import made_by
from tokumei.tables.registry import anonymizers


def test_unify_gives_the_papers_d() -> None:
    for value in (1, "1"):
        made = made_by(anonymizers.build("unify", {"columns": ["QI3"], "value": value}), X,
                       shuffle=False)  # fmt: skip
        assert made.public.frame["QI3"].cast(pl.Int64).equals(D.frame["QI3"])
        assert made.public.frame.drop("QI3").equals(D.frame.drop("QI3"))

"""Tests of tokumei.apps.price.problem."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from apps.price.price_lists_helpers import HEAD, read
from tokumei.apps.price.problem import Question
from tokumei.apps.price.session import PriceSession


def test_values_are_matched_whatever_their_types(tmp_path: Path) -> None:
    text = HEAD + "x,original,1,one,1\nx,original,2.5,more,2\nx,original,,none,4\n"
    prices = read(tmp_path, text)
    for column in ([1.0, 2.5, None], ["1", "2.50", None]):
        session = PriceSession(pl.DataFrame({"x": column}), prices)
        assert session.ask(Question(k=1)).best.worth == 7

"""What the tests split from test_linked_risk share."""

import polars as pl
import pytest

import tokumei as tk


@pytest.fixture
def adult(real_data):
    frame = pl.read_csv(real_data / "adult" / "adult.csv", separator=";")
    return frame.with_columns(id=pl.int_range(pl.len()).cast(pl.String))


def made(frame, method):
    qi = [name for name in frame.columns if name not in ("occupation", "id")]
    return tk.anonymize(frame, method, k=5, qi=qi, sa=["occupation"], ids=["id"], seed=11)

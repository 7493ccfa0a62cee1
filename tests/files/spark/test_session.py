"""Tests of tokumei.files.spark.session."""

from __future__ import annotations

import polars as pl
import pytest

from tokumei.core.claims import VerificationResult
from tokumei.core.errors import OutputError
from tokumei.core.verification import verify_written
from tokumei.files.spark.session import SparkPaths
from tokumei.files.writing import write_frame

pytestmark = [pytest.mark.cluster, pytest.mark.xdist_group("spark")]


def test_nothing_replaces_what_exists(spark, tmp_path):
    paths, target = SparkPaths(spark), str(tmp_path / "there.csv")
    write_frame(pl.DataFrame({"a": [1]}), target)
    with pytest.raises(OutputError, match="exists already"):
        paths.require_new(target)
    with paths.staging_path(target) as hidden:
        paths.write_text("x", f"{hidden}/part")
        with pytest.raises(OutputError, match="exists already"):
            paths.publish(hidden, target, verify_written(None, VerificationResult([], 0), 0))
    assert [path.name for path in tmp_path.iterdir()] == ["there.csv"]

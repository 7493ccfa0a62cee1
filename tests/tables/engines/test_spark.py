"""Tests of tokumei.tables.engines.spark."""

from __future__ import annotations

from dataclasses import replace

import pytest

import tokumei as tk
from tables.anonymization.spark_fixtures import people as people
from tables.anonymization.spark_fixtures import release as release
from tokumei.tables.engines.spark import SparkEngine

pytestmark = [pytest.mark.cluster, pytest.mark.xdist_group("spark")]


def test_rows_that_were_lost_are_noticed(release, tmp_path):
    table = release.engine.table
    lost = replace(release, engine=SparkEngine(table.with_frame(release.frame.limit(590))))
    with pytest.raises(RuntimeError, match="600 rows should have been written"):
        tk.spark.save_on_spark(lost, str(tmp_path / "out.csv"))
    assert list(tmp_path.iterdir()) == []

"""Tests of tokumei.tables.data.reading."""

from __future__ import annotations

import pytest

import tokumei as tk
from tables.anonymization.spark_fixtures import QI, SA, collected, local, rows_of
from tables.anonymization.spark_fixtures import people as people
from tables.anonymization.spark_fixtures import release as release
from tokumei.core.errors import UsageError
from tokumei.tables.anonymization.in_memory import build_method
from tokumei.tables.data.reading import read_table

pytestmark = [pytest.mark.cluster, pytest.mark.xdist_group("spark")]


def test_a_spark_frame_in_python(spark, people):
    frame = spark.createDataFrame(read_table(people).frame.to_arrow())
    release = tk.anonymize(frame, "local", k=4, qi=QI, sa=SA, ids=["id"], seed=1)
    wanted = local(people, build_method("local", {"k": 4}))
    assert rows_of(collected(release)) == rows_of(wanted.public.with_text().frame)
    assert release.manifest()["provenance"]["engine"] == "spark"
    with pytest.raises(UsageError, match="noise works on all rows"):
        tk.anonymize(frame, "noise", qi=QI, sa=SA)

"""Tests of tokumei.tables.anonymization.spark_profiling."""

from __future__ import annotations

import polars as pl
import pytest

from tables.anonymization.spark_fixtures import people as people
from tokumei.core.errors import ClaimError
from tokumei.files.spark.column_scan import scan_columns
from tokumei.files.spark.table_files import read_spark_table
from tokumei.tables.anonymization import spark_profiling
from tokumei.tables.anonymization.in_memory import build_method
from tokumei.tables.anonymization.out_of_core import Roles
from tokumei.tables.anonymization.spark import anonymize_on_spark

pytestmark = [pytest.mark.cluster, pytest.mark.xdist_group("spark")]


def test_personal_data_is_sought_in_the_texts_of_all_rows(spark, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(spark_profiling, "PROFILED_ROWS", 50)
    notes = ["fine", "late", "wants a call"] * 40
    notes[97], notes[111] = "call 090-1234-5678", "佐藤 健 が来る"
    frame = pl.DataFrame({"age": [20 + i % 7 for i in range(120)], "a`b": notes})
    frame.write_csv(path := tmp_path / "notes.csv")
    source = read_spark_table(spark, str(path))
    first = spark_profiling.FirstRowsProfile.of(source)
    assert first.names == ("a`b",)
    cells = scan_columns(source, ["age"], like=first.like).cells
    assert cells == {"a`b": 2}
    seen = first.search_all_rows(source, cells)
    assert first.search_all_rows(source, {"a`b": 0}) is first.found
    found = {one.type: one.cells for one in seen["a`b"].pii}
    assert found == {"phone": 1, "name": 1}
    assert seen["a`b"].fate == "ask"
    method = build_method("local", {"k": 4})
    with pytest.raises(ClaimError) as refused:
        anonymize_on_spark(source, method, Roles(["age"], ["a`b"]))
    assert [fault.rule for fault in refused.value.faults] == ["undeclared-identifier"]

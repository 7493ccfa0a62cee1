"""Tables on a cluster: what the local command makes, verified there, whatever fails on the way."""

from __future__ import annotations

import pytest

from tokumei.core.provenance import Claim
from tokumei.files.spark.table_files import read_spark_table
from tokumei.tables.verification.out_of_core import spark_violations

pytestmark = [pytest.mark.cluster, pytest.mark.xdist_group("spark")]


def test_spellings_of_one_person_are_one_on_a_cluster(spark, tmp_path):
    path = tmp_path / "spelled.csv"
    path.write_text("q,who\n" + "".join(f"a,{who}\n" for who in ("x", "X ", "ｘ", "1", "01")))
    table = read_spark_table(spark, str(path))
    claim = {"columns": ["q"], "person": "who"}
    assert not spark_violations(table, [Claim("k-per-person", {"k": 2, **claim})]).total
    assert spark_violations(table, [Claim("k-per-person", {"k": 3, **claim})]).total == 1

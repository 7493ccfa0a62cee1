"""Tests of tokumei.histories.spark.reading."""

from __future__ import annotations

import polars as pl
import pytest

from support.command_line import run
from tokumei.core.errors import UsageError
from tokumei.files.spark.distinct_tuples import NUMBER_COLUMN
from tokumei.histories.spark.reading import CUSTOMER_KEY, PurchaseReader, read_spark_history


def test_wrong_cells_are_told_by_their_lines():
    lines = ["1,2011/1/31,a,2.5,1", "1,2011/1/32,a,2.5,1", "1,2011/1/31", "2,2011/1/1,a;b,1,1"]
    rows = pl.DataFrame(
        {"value": lines, NUMBER_COLUMN: [6, 7, 8, 9], CUSTOMER_KEY: ["1", "1", "1", "2"]}
    )
    reader = PurchaseReader("pws2018", "T.csv", lines=True)
    assert reader.counted(rows[:1]).rows() == [("1", "1", 1, 6)]
    for place, line in ((1, "line 8"), (2, "line 9: 2 field"), (3, "'a;b'")):
        (fault,) = reader.counted(rows[place])["fault"]
        assert line in fault


def test_a_mark_inside_a_file_is_a_sign_as_any_other():
    """The one at the start of a file is passed over before lines come here."""
    lines = ["\ufeff1,2011/1/31,a,1,1", "1,2011/1/31,a,1,1"]
    rows = pl.DataFrame({"value": lines, NUMBER_COLUMN: [0, 1], CUSTOMER_KEY: ["\ufeff1", "1"]})
    assert len(PurchaseReader("pws2018", "T.csv", lines=True).history(rows).customers) == 2


def test_what_has_no_meaning_on_spark(capsys):
    command = ("anonymize", "history", "--engine", "spark", "--data", "x.csv", "--out", "y.csv")
    code, _, err = run(capsys, *command, "--categories", "keywords")
    assert (code, "does not use --categories" in err) == (2, True)
    code, _, err = run(capsys, *command, "--format", "pws2017")
    assert (code, "--format pws2017 does not use --engine" in err) == (2, True)
    with pytest.raises(UsageError, match="not online-retail"):
        read_spark_history(None, "x.csv", format="online-retail")

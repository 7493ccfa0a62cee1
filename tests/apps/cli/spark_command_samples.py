"""What the tests split from test_spark_command share."""

from __future__ import annotations

ANONYMIZE = ("anonymize", "table", "--data", "x.csv", "--qi", "a", "--out", "y.csv")


HISTORY = ("anonymize", "history", "--data", "x.csv", "--public", "y.csv", "--engine", "spark")

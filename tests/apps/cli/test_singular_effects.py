"""`conform --effects` as plain data, on a contest's files."""

from __future__ import annotations

import pytest


@pytest.mark.long
def test_effects_are_plain_data(tokumei):
    files = ["--rows", "600", "--customers", "15", "--out", "T.csv", "--master", "M.csv"]
    assert tokumei("sample", "history", "--format", "pws2017", "--seed", "1", *files).code == 0
    source = ["--format", "pws2017", "--data", "T.csv", "--master", "M.csv"]
    method = ["--method", "pseudonyms", "--lifetime", "1", "--seed", "1"]
    assert tokumei("anonymize", "history", *source, *method, "--out", "A.csv").code == 0
    given = ["--original", "T.csv", "--master", "M.csv", "--release", "A.csv"]
    ran = tokumei("conform", "--format", "pws2017", *given, "--effects", "--json")
    assert ran.code in (0, 1), ran.err
    effects = [check for check in ran.json["checks"] if "effect" in check["id"]]
    assert effects, [check["id"] for check in ran.json["checks"]]

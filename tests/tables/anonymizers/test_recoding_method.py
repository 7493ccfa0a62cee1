"""Tests of tokumei.tables.anonymizers.recoding_method."""

from pathlib import Path

import pytest

from apps.cli.recoding_commands_samples import RECODERS, anonymize


@pytest.mark.parametrize("method", ["mondrian", *RECODERS])
def test_a_category_of_many_values(tokumei, method):
    rows = [f"name{7919 * i % 20000:05d},{'mf'[i % 3 > 0]}" for i in range(20000)]
    Path("x.csv").write_text("a,b\n" + "\n".join(rows) + "\n")
    option = [] if method == "mondrian" else ["--hierarchies", "auto"]
    option += ["--seconds", "2"] if method == "auto" else []
    ran = anonymize(tokumei, method, *option, "--qi-anyway", "a")
    assert ran.code == 0, ran.err
    assert "k-anonymity" in ran.err
    assert len(Path("y.csv").read_text().splitlines()) == 20001

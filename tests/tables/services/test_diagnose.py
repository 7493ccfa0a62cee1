"""Tests of tokumei.tables.services.diagnose."""

import stat
from pathlib import Path

from apps.cli.tables_samples import make_sample


def test_anonymize_check_attack_diagnose_from_files(tokumei):
    roles = make_sample(tokumei)
    made = tokumei(
        "anonymize", "table", "--data", "s.csv", *roles, "--method", "mondrian", "--k", 5,
        "--out", "y.csv", "--secret", "link.csv", "--json",
    )  # fmt: skip
    assert made.code == 0
    assert made.json["claims"][0]["params"]["k"] == 5
    assert stat.S_IMODE(Path("link.csv").stat().st_mode) == 0o600
    assert stat.S_IMODE(Path("link.csv.provenance.json").stat().st_mode) == 0o600
    assert Path("y.csv").read_text().splitlines()[0] == Path("s.csv").read_text().splitlines()[0]
    assert tokumei("check", "--release", "y.csv", roles[0], roles[1], "--k", 5).code == 0
    both = ["--original", "s.csv", "--release", "y.csv", "--truth", "link.csv", *roles]
    assert tokumei("attack", *both, "--json").json["linkage"]["rate"] > 0.9
    assert tokumei("diagnose", *both, "--json").json["methods"] == ["A"]

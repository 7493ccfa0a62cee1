"""Tests of tokumei.tables.commands.diagnose."""

from apps.cli.tables_samples import make_sample


def test_a_permuted_link_and_unchanged_rows_are_called_by_name(tokumei):
    roles = make_sample(tokumei)
    ran = tokumei(
        "anonymize", "table", "--data", "s.csv", *roles, "--method", "yamaoka",
        "--out", "y.csv", "--secret", "l.csv",
    )  # fmt: skip
    assert "the released rows are unchanged originals" in ran.err
    ran = tokumei("attack", "--original", "s.csv", "--release", "y.csv", "--truth", "l.csv", *roles)
    assert "a low rate proves nothing here (Yamaoka)" in ran.err

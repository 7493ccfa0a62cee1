"""What the tests split from test_periods share."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def tokumei(tokumei):
    """Run `tokumei …`; it must exit with `code`."""

    def run(*args, code=0):
        done = tokumei(*args)
        assert done.code == code, done.err + done.out
        return done

    return run


@pytest.fixture
def made(tokumei, tmp_path):
    """T, M and a release with its public and secret files."""
    tokumei("sample", "history", "--format", "pws2017", "--rows", 1500, "--customers", 30,
            "--seed", 1, "--out", "T.csv", "--master", "M.csv")  # fmt: skip
    tokumei("anonymize", "history", "--format", "pws2017", "--data", "T.csv", "--master", "M.csv",
            "--method", "pseudonyms", "--lifetime", 1, "--day", 15, "--price-noise", 0.1,
            "--delete", 0.1, "--seed", 1, "--out", "A.csv", "--public", "S.csv", "--secret",
            "F.csv")  # fmt: skip
    return tmp_path


TRUTH = ("--format", "pws2017", "--original", "T.csv", "--master", "M.csv")


def lines(path):
    return Path(path).read_text(encoding="utf-8").splitlines()

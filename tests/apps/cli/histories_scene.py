"""What the tests split from test_histories share."""

from __future__ import annotations

import pytest


@pytest.fixture
def tokumei(tokumei):
    """Run `tokumei …`; it must exit with `code`."""

    def run(*args, code=0):
        done = tokumei(*args)
        assert done.code == code, done.err
        return done

    return run


@pytest.fixture
def made(tokumei, tmp_path):
    """A small generated history and a release of it."""
    paths = {name: str(tmp_path / f"{name}.csv") for name in ("T", "items", "A", "A1", "F", "F1")}
    tokumei("sample", "history", "--rows", "3000", "--customers", "60", "--seed", "1",
            "--out", paths["T"], "--items", paths["items"])  # fmt: skip
    tokumei("anonymize", "history", "--data", paths["T"], "--format", "pws2018", "--method",
            "rank-match", "--k", "3", "--seed", "1", "--out", paths["A"])  # fmt: skip
    return paths

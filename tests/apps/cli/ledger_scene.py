"""What the tests split from test_ledger share."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

ROLES = ("--qi", "age,sex,area", "--sa", "ill", "--id", "id")


def people(rows=120, seed=0, start=0):
    rng = np.random.default_rng(seed)
    return pl.DataFrame(
        {
            "id": [f"Person-{start + i}" for i in range(rows)],
            "age": rng.integers(20, 60, rows),
            "sex": rng.choice(["F", "M"], rows),
            "area": rng.integers(1, 9, rows),
            "ill": rng.choice(["flu", "cold", "ulcer"], rows),
        }
    )


@pytest.fixture
def ledger(tokumei):
    """A ledger with one release, to A."""
    people().write_csv("x.csv")
    assert tokumei("ledger", "init", "L", "--key-file", "L.key").code == 0
    assert released(tokumei, "y1.csv", "A").code == 0
    return tokumei


def released(tokumei, out, recipient, *more, data="x.csv", k=4, method="mondrian"):
    name = Path(out).stem
    made = ("--method", method, "--k", k, "--out", out, "--secret", f"{name}-link.csv")
    to = ("--ledger", "L", "--recipient", recipient)
    return tokumei("anonymize", "table", "--data", data, *ROLES, *made, *to, *more)


def added(tokumei, out="y2.csv", data="x.csv", roles=ROLES, link="y2-link.csv", **more):
    options = [part for key, value in more.items() for part in (f"--{key}", value)]
    files = ("--release", out, "--data", data, "--secret", link, "--recipient", "B")
    return tokumei("ledger", "add", "L", *files, *roles, *options)


def apart(tokumei, out, *more, data="x.csv", method="local", k=4, roles=ROLES):
    name = Path(out).stem
    made = ("--method", method, "--k", k, "--out", out, "--secret", f"{name}-link.csv")
    assert tokumei("anonymize", "table", "--data", data, *roles, *made, *more).code == 0


def recipients(tokumei):
    return [one["recipient"] for one in tokumei("ledger", "show", "L", "--json").json["releases"]]

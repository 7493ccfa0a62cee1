"""A ledger, a source and a released table that is not recorded, for tests of ledger services."""

import polars as pl
import pytest

import tokumei as tk
from tokumei.ledger.services import LedgerLocation, create_ledger
from tokumei.tables.services.ledger import TableToRecord

ROLES = {"qi": ("age", "sex"), "sa": ("ill",)}


@pytest.fixture
def files(tmp_path, monkeypatch):
    """A ledger, a source and a release that is not recorded."""
    monkeypatch.chdir(tmp_path)
    people = {
        "id": [f"P{row}" for row in range(40)],
        "age": [20 + row % 20 for row in range(40)],
        "sex": ["F" if row % 3 else "M" for row in range(40)],
        "ill": [("flu", "cold", "ulcer")[row % 3] for row in range(40)],
    }
    frame = pl.DataFrame(people)
    frame.write_csv("x.csv")
    release = tk.anonymize(frame, "mondrian", k=4, qi=["age", "sex"], sa=["ill"], ids="id", seed=1)
    tk.save(release, "y.csv", secret="link.csv")
    location = LedgerLocation(folder="L", key_file="L.key")
    create_ledger(location)
    return location, TableToRecord(
        release="y.csv", data="x.csv", secret="link.csv", id="id", **ROLES
    )

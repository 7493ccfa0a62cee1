"""Tests of tokumei.tables.services.ledger and of the ledger's own services."""

from pathlib import Path

import polars as pl
import pytest

import tokumei as tk
from tokumei.core.errors import InputError, UnknownNameError, UsageError
from tokumei.ledger.services import (
    AddReleaseRequest,
    CheckLedgerRequest,
    ForgetPeopleRequest,
    LedgerLocation,
    VerifyLedgerRequest,
    add_release,
    check_releases,
    create_ledger,
    forget_listed_people,
    verify_releases,
)
from tokumei.tables.services.ledger import (
    AttackRecordedTableRequest,
    TableToRecord,
    attack_recorded_table,
)

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


def test_a_recorded_release_is_checked_verified_and_forgotten(files):
    location, table = files
    planned = check_releases(
        CheckLedgerRequest(ledger=location, planned=table, recipient="A", joint_k=5)
    )
    assert planned.draft is not None
    assert planned.check.linked.k_min == 4
    assert not location.open().entries
    added = add_release(AddReleaseRequest(ledger=location, release=table, recipient="A"))
    assert (added.entry.recipient, added.entry.people, added.entry.k) == ("A", 40, 4)
    assert added.entry.method == "mondrian"
    assert not check_releases(CheckLedgerRequest(ledger=location, joint_k=4)).check.faults
    assert not verify_releases(
        VerifyLedgerRequest(ledger=location, head=location.open().head)
    ).faults
    assert verify_releases(VerifyLedgerRequest(ledger=location, head="0" * 64)).faults
    Path("gone.csv").write_text("id\nP1\nP2\nnobody\n")
    forgotten, _ = forget_listed_people(
        ForgetPeopleRequest(ledger=location, people="gone.csv", id="id")
    )
    assert (forgotten.asked, forgotten.found) == (3, 2)
    with pytest.raises(UsageError, match="no column 'name'"):
        forget_listed_people(ForgetPeopleRequest(ledger=location, people="gone.csv", id="name"))


def test_a_recorded_table_is_attacked_only_while_its_file_is_the_same(files):
    location, table = files
    add_release(AddReleaseRequest(ledger=location, release=table, recipient="A"))
    request = AttackRecordedTableRequest(
        ledger=location, release="r1", data="x.csv", secret="link.csv", **ROLES
    )
    assert attack_recorded_table(request).exact.claimed >= 0
    Path("y.csv").write_text("changed\n")
    with pytest.raises(InputError, match="not the file that was recorded"):
        attack_recorded_table(request)


def test_a_column_of_people_must_exist(files):
    with pytest.raises(UnknownNameError, match="name"):
        TableToRecord(release="y.csv", data="x.csv", id="name", **ROLES).read()
    rows = TableToRecord(release="y.csv", data="x.csv", **ROLES).read().contribution
    assert len(rows.ids) == 40
    assert not rows.linked

"""Tests of tokumei.ledger.services."""

from pathlib import Path

import pytest
from tests.support.recorded_tables import files as files

from tokumei.core.errors import UsageError
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


def test_a_new_ledger_needs_a_key_file(tmp_path):
    with pytest.raises(UsageError, match="key file"):
        create_ledger(LedgerLocation(folder=str(tmp_path / "L")))


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

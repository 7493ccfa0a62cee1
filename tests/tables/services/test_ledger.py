"""Tests of tokumei.tables.services.ledger."""

from pathlib import Path

import pytest
from tests.support.recorded_tables import ROLES
from tests.support.recorded_tables import files as files

from tokumei.core.errors import InputError, UnknownNameError
from tokumei.ledger.services import AddReleaseRequest, add_release
from tokumei.tables.services.ledger import (
    AttackRecordedTableRequest,
    TableToRecord,
    attack_recorded_table,
)


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

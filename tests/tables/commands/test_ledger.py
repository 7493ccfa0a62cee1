"""Tests of tokumei.tables.commands.ledger."""

from pathlib import Path

import pytest

from apps.cli.ledger_scene import ROLES, added, apart, recipients
from apps.cli.ledger_scene import ledger as ledger


@pytest.mark.long
def test_a_link_that_does_not_fit_and_columns_that_are_not_there(ledger):
    apart(ledger, "y2.csv")
    lines = Path("y2-link.csv").read_text().splitlines()
    Path("short.csv").write_text("\n".join(lines[:-3]) + "\n")
    assert added(ledger, link="short.csv").code == 2
    no_column = ("--qi", "age,postcode", "--sa", "ill", "--id", "id")
    assert added(ledger, roles=no_column).code == 2
    assert added(ledger, roles=(*ROLES[:4], "--id", "name")).code == 2
    assert recipients(ledger) == ["A"]

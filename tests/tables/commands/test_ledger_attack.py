"""Tests of tokumei.tables.commands.ledger_attack."""

import pytest

from apps.cli.ledger_scene import ROLES, added, apart
from apps.cli.ledger_scene import ledger as ledger


@pytest.mark.long
def test_attacks_that_know_the_algorithm(ledger):
    apart(ledger, "pairs.csv", method="mondrian", k=2)
    assert added(ledger, "pairs.csv", link="pairs-link.csv").code == 0
    files = ("--data", "x.csv", "--secret", "pairs-link.csv", *ROLES[:4])
    found = ledger("ledger", "attack", "L", "--release", "r2", *files, "--json").json
    assert found["tight_hull"]["claimed"] == found["tight_hull"]["right"] > 0
    assert ledger("ledger", "attack", "L", "--coalition", "A,B").code == 0
    apart(ledger, "loose.csv", "--slack", "0.4", method="mondrian", k=2)
    assert added(ledger, "loose.csv", link="loose-link.csv").code == 0
    files = ("--data", "x.csv", "--secret", "loose-link.csv", *ROLES[:4])
    found = ledger("ledger", "attack", "L", "--release", "r3", *files, "--json").json
    assert found["tight_hull"]["right"] == 0


@pytest.mark.parametrize("options", [("--coalition", "A,B"), (), ("--release", "r1")])
def test_an_empty_ledger_is_refused_with_what_to_do(tokumei, options):
    assert tokumei("ledger", "init", "L", "--key-file", "L.key").code == 0
    files = ("--data", "x.csv", "--secret", "link.csv") if "--release" in options else ()
    refused = tokumei("ledger", "attack", "L", *options, *files)
    assert refused.code == 2
    assert "no releases yet" in refused.err
    assert "tokumei ledger add" in refused.err
    assert "Valid:" not in refused.err

"""Tests of tokumei.apps.cli.rules_simulation."""


def test_simulate_for_people(tokumei):
    ran = tokumei("rules", "simulate", "--draws", 2, "--seed", 1)
    assert ran.code == 0
    assert "men's magazine" in ran.out
    assert tokumei("rules", "simulate", "--draws", 0).code == 2

"""Tests of tokumei.tables.report.attack_sentences."""

from __future__ import annotations

from tokumei.core.attack_rates import AttackRate
from tokumei.tables.report.attack_sentences import (
    PEOPLE_NOUN,
    describe_attack,
    describe_permuted_attack,
    yamaoka_warning,
)

RATE = AttackRate(0.049, 0.044, 0.054, 0.00012, 408.0, 8333, 8333, 8333)


def test_an_attack_is_told_with_interval_and_baseline() -> None:
    told = describe_attack(RATE)
    assert told.show("en") == (
        "An attacker who knows the original finds 4.9 % of the rows "
        "(95 % interval 4.4–5.4 %); blind guessing finds 0.012 %."
    )
    assert told.show("ja") == (
        "元データを知る攻撃者は、4.9 % の行を特定します"
        "（95 % 信頼区間 4.4–5.4 %）。当てずっぽうなら 0.012 % です。"
    )


def test_an_attack_that_finds_people_is_told_in_people() -> None:
    told = describe_attack(RATE, PEOPLE_NOUN)
    assert "finds 4.9 % of the people" in told.show("en")
    assert "4.9 % の人を特定します" in told.show("ja")


def test_a_permuted_link_is_reported_as_what_it_is() -> None:
    warning = yamaoka_warning(1.0)
    # It stands behind the name of a release, which is often the method's.
    assert not warning.show("en").startswith("Yamaoka")
    assert not warning.show("ja").startswith("山岡")
    assert "values are unchanged" in warning.show("en")
    assert "permuted link" in warning.show("en")
    assert "still finds the people" in warning.show("en")
    assert "100 %" in warning.show("en")
    assert "値は変わっていません" in warning.show("ja")
    assert "nothing about safety" in describe_permuted_attack(RATE).show("en")

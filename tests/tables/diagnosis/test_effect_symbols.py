"""Tests of tokumei.tables.diagnosis.effect_symbols."""

import pytest

from tables.diagnosis.diagnosis_helpers import METHODS, multi_row_classes
from tokumei.core.randomness import Randomness
from tokumei.tables.anonymizers.noise import Noise
from tokumei.tables.anonymizers.protocol import Pipeline
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.diagnosis.diagnose import diagnose
from tokumei.tables.diagnosis.effect_symbols import (
    EXPECTED_SYMBOLS,
    Thresholds,
    expected_symbol,
    paper_symbol,
)


def test_evidence_speaks_both_languages_and_has_shares():
    table = multi_row_classes(1)
    release = Pipeline((METHODS["A"], METHODS["H"])).anonymize(table, rng=Randomness(1))
    found = diagnose(Comparison.of(table, release), rng=Randomness(1)).as_json()
    assert found["methods"] == ["A", "H"]
    for item in found["evidence"]:
        assert item["evidence_en"] != item["evidence_ja"]
        assert 0 < item["share"] <= 1
    assert [row["measure"] for row in found["table"]] == list(EXPECTED_SYMBOLS)


@pytest.mark.parametrize(
    ("measure", "methods", "symbol"),
    [
        # Table 10 of the paper, column by column; combined methods take the stronger effect.
        ("U5", ["C"], "×"),
        ("U2", ["A"], "×"),
        ("U2", ["B"], "△"),
        ("U4", [], "-"),
        ("S1", ["A", "F"], "○"),
        ("U4", ["A", "F"], "×"),
        ("E3", ["A", "F"], "○"),
        ("EUC1", ["B"], "×"),
        ("U6", ["H"], "×"),
    ],
)
def test_expected_symbols(measure, methods, symbol):
    assert expected_symbol(measure, methods) == symbol


def test_measured_symbols_follow_the_thresholds():
    table = multi_row_classes(2)
    release = Noise(scale=0.1).anonymize(table, rng=Randomness(1))
    case = Comparison.of(table, release)
    usual = {e.measure: e.measured for e in diagnose(case, rng=Randomness(1)).effects}
    assert usual["U6"] == "-"
    assert usual["U5"] == "△"
    assert usual["S1"] == "×"
    assert usual["EUC1"] == "×"
    strict = diagnose(case, rng=Randomness(1), limits=Thresholds(harm=1e-9, times=1e9))
    symbols = {e.measure: e.measured for e in strict.effects}
    assert symbols["U5"] == "×"
    assert symbols["EUC1"] == "△"


@pytest.mark.parametrize(
    ("measure", "value", "symbol"),
    [
        ("E1", 0.0, "◎"),
        ("E1", 0.0099, "○"),
        ("EUC1", 0.01, "△"),
        ("EUC1", 0.1, "×"),
        ("U3", 1.85, "△"),
        ("U3", 2.97, "×"),
        ("U4", 0.09, "△"),
        ("U4", 0.11, "×"),
        ("S1", 3, "△"),
        ("S2", 13.68, "○"),
    ],
)
def test_the_papers_own_limits(measure, value, symbol):
    assert paper_symbol(measure, value) == symbol

"""Tests of tokumei.tables.diagnosis.infer_methods."""

from __future__ import annotations

from itertools import combinations

import pytest

from tokumei.tables.diagnosis.effect_symbols import EXPECTED_SYMBOLS, expected_symbol
from tokumei.tables.diagnosis.infer_methods import infer_methods


def symbols_of(methods):
    return {name: expected_symbol(name, methods) for name in EXPECTED_SYMBOLS}


@pytest.mark.parametrize("method", "ABCDEFGH")
def test_a_method_alone_is_known_by_its_symbols(method):
    assert infer_methods(symbols_of([method])) == [method]


def test_no_effect_is_no_method():
    assert infer_methods(symbols_of([])) == []


@pytest.mark.parametrize("methods", [*combinations("ABCDEFGH", 2)])
def test_what_is_inferred_has_the_symbols(methods):
    inferred = infer_methods(symbols_of(methods))
    assert symbols_of(inferred) == symbols_of(methods)
    assert len(inferred) <= len(methods)


def test_the_nearest_set_is_taken():
    symbols = symbols_of(["A"]) | {"EUC1": "○"}
    assert infer_methods(symbols) == ["A"]

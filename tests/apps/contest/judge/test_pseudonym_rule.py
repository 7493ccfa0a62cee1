"""Pseudonyms made from ids are told by how they were made; random ones never are."""

from __future__ import annotations

import base64
import hashlib
import random

import polars as pl
import pytest

from apps.contest.judge.pseudonym_rule_helpers import HISTORY, IDS
from apps.contest.judge.uploaded import rules_of
from tokumei.apps.contest.judge.results import Upload
from tokumei.core.derived_pseudonyms import PseudonymShowsCustomer

MONTHS = HISTORY.rows.cells["day"].str.strptime(pl.Date, "%Y/%m/%d").dt.strftime("%Y-%m")


def found(make) -> list[str]:
    names = [make(name, month) for name, month in zip(IDS, MONTHS, strict=True)]
    rows = HISTORY.rows.cells.with_columns(pl.Series("customer", names))
    return [
        fault.message.show("en") for fault in PseudonymShowsCustomer().check(rows, source=HISTORY)
    ]


def md5(text: str) -> str:
    return hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()


@pytest.mark.parametrize(
    ("make", "word"),
    [
        (lambda name, month: f"u{name}x", "holds"),
        (lambda name, month: f"{month.replace('-', '')}_{name}", "holds"),
        (lambda name, month: f"a{name[::-1]}", "reversed"),
        (lambda name, month: str(int(name) + 123_456), "constant"),
        (lambda name, month: md5(name), "md5"),
        (lambda name, month: md5(name)[:8].upper(), "md5"),
        (lambda name, month: md5(name + month), "md5"),
        (lambda name, month: md5(f"{name}_{month.replace('-', '')}")[:12], "md5"),
        (lambda name, month: hashlib.sha256(name.encode()).hexdigest()[:10], "sha256"),
        (lambda name, month: base64.b64encode(name.encode()).decode().rstrip("="), "base64"),
        (lambda name, month: f"{int(name):x}", "hex"),
    ],
)
def test_ways_from_ids_to_pseudonyms_are_found(make, word):
    assert any(word in message for message in found(make))


def test_pseudonyms_in_the_order_of_ids_are_found():
    order = {name: place for place, name in enumerate(IDS.unique().sort())}
    (message,) = found(lambda name, month: f"{month.replace('-', '')}{order[name]:05d}x")
    assert "order" in message


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("digits", [2, 6, 20])
def test_random_pseudonyms_are_left_alone(seed, digits):
    chance, names = random.Random(seed), {}

    def draw(name, month):
        key = name, month
        if key not in names:
            names[key] = "".join(chance.choices("0123456789", k=digits))
        return names[key]

    assert found(draw) == []


def test_a_few_customers_are_too_few_to_tell():
    few = HISTORY.rows.cells.head(3)
    source = type("Source", (), {"frame": few})()
    rows = few.with_columns(customer=pl.col("customer") + "x")
    assert PseudonymShowsCustomer().check(rows, source=source) == []


def test_the_preset_has_the_rule(periods):
    lines = [line.decode().split(",") for line in periods.lines()]
    ids = periods.judge.format.history.rows.cells["customer"]
    bad = [",".join([f"p{name}", *cells[1:]]) for name, cells in zip(ids, lines, strict=True)]
    found = periods.judge.check(Upload("A.csv", "\n".join(bad).encode()))
    assert rules_of(found) == {"pseudonym-shows-customer"}

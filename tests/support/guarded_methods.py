"""Every k-anonymizing method, made with whatever it must keep besides k; small random tables."""

from __future__ import annotations

import random
from collections.abc import Callable

import polars as pl

from tokumei.tables.anonymizers.auto import Auto
from tokumei.tables.anonymizers.full_domain import Datafly, Flash
from tokumei.tables.anonymizers.k_anonymizer import KAnonymizer
from tokumei.tables.anonymizers.local_recoding import (
    CellSuppression,
    KMember,
    LocalRecodingMethod,
    OnePass,
)
from tokumei.tables.anonymizers.mondrian import Mondrian
from tokumei.tables.anonymizers.mondrian_hierarchical import HierarchicalMondrian
from tokumei.tables.data.table import Table

Make = Callable[..., KAnonymizer]
METHODS: dict[str, Make] = {
    "mondrian": Mondrian,
    "mondrian median": lambda **more: Mondrian(cut="median", **more),
    "mondrian-hierarchical": lambda **more: HierarchicalMondrian(
        hierarchies="auto", choice="ncp", **more
    ),
    "local": LocalRecodingMethod,
    "local, suppressing": lambda **more: LocalRecodingMethod(suppression=0.2, **more),
    "flash": Flash,
    "flash, suppressing": lambda **more: Flash(suppression=0.2, **more),
    "datafly, suppressing": lambda **more: Datafly(suppression=0.2, **more),
    "k-member": KMember,
    "one-pass": OnePass,
    "local-suppression": CellSuppression,
    "auto": lambda **more: Auto(seconds=0.01, suppression=0.1, **more),
}


def random_source(seed: int) -> Table:
    """10 to 60 rows whose sensitive value depends on the first QI more or less."""
    chance = random.Random(seed)
    rows = []
    values = chance.randint(2, 5)
    for _ in range(chance.randint(10, 60)):
        a, b = chance.randint(0, 6), chance.choice("pqrst")
        s = a % values if chance.random() < chance.choice([0.1, 0.6]) else chance.randrange(values)
        rows.append((a, b, s, f"P{chance.randrange(12)}"))
    frame = pl.DataFrame(rows, schema=["a", "b", "s", "who"], orient="row")
    return Table.of(frame, qi=["a", "b"], sa=["s"])

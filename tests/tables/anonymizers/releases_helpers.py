"""What the tests split from test_releases share."""

from __future__ import annotations

from functools import cache

import polars as pl
import pytest

from tokumei.core.randomness import Randomness
from tokumei.tables.anonymizers.auto import Auto
from tokumei.tables.anonymizers.column_sets import ColumnSets
from tokumei.tables.anonymizers.delete_rows import Delete
from tokumei.tables.anonymizers.drop_identifiers import DropIdentifiers
from tokumei.tables.anonymizers.full_domain import Datafly, Flash
from tokumei.tables.anonymizers.local_recoding import (
    CellSuppression,
    KMember,
    LocalRecodingMethod,
    OnePass,
)
from tokumei.tables.anonymizers.microaggregate import Microaggregate
from tokumei.tables.anonymizers.mondrian import Mondrian
from tokumei.tables.anonymizers.mondrian_hierarchical import HierarchicalMondrian
from tokumei.tables.anonymizers.noise import Noise
from tokumei.tables.anonymizers.pram import Pram
from tokumei.tables.anonymizers.protocol import Pipeline, TableMethod
from tokumei.tables.anonymizers.rank_swap import RankSwap
from tokumei.tables.anonymizers.swap import Swap
from tokumei.tables.anonymizers.top_bottom import TopBottom
from tokumei.tables.anonymizers.unify import Unify
from tokumei.tables.anonymizers.yamaoka import Yamaoka
from tokumei.tables.data.table import Release, Table
from tokumei.tables.datasets.households import sample_table

EVERYONE = sample_table(300, seed=1)


QI = [*EVERYONE.schema.qi[:6], "region"]


PEOPLE = Table.of(EVERYONE.frame.select(*QI, *EVERYONE.schema.sa), qi=QI, sa=EVERYONE.schema.sa)


WITH_ID = Table.of(
    PEOPLE.frame.with_columns(who=pl.Series([f"P{i:03}" for i in range(300)])),
    qi=PEOPLE.schema.qi,
    sa=PEOPLE.schema.sa,
    ids=["who"],
)


METHODS: list[TableMethod] = [
    Mondrian(5),
    Mondrian(5, conditions=("l=2",)),
    HierarchicalMondrian(k=5, hierarchies="auto"),
    LocalRecodingMethod(5),
    LocalRecodingMethod(5, suppression=0.1),
    Flash(5),
    Flash(5, suppression=0.1),
    Datafly(5),
    KMember(5),
    OnePass(5),
    CellSuppression(5),
    Auto(5),
    ColumnSets(5, 1),
    Noise(0.2),
    Yamaoka(0.5),
    Unify(),
    Microaggregate(),
    Microaggregate(groups="mdav", k=4),
    Swap(),
    Swap("near", 3),
    RankSwap(),
    TopBottom(top={EVERYONE.schema.sa[0]: 50_000}),
    Pram(),
    Pipeline((Mondrian(8), Microaggregate("near", 4))),
    Delete(0.2),
    Delete(0.2, "exposed"),
    Pipeline((Delete(0.1), Unify(("region",)), Mondrian(3), Noise(0.1))),
    DropIdentifiers(),
]


IDS = [" ".join(str(part["method"]) for part in m.describe()) + f" {i}" for i, m in
       enumerate(METHODS)]  # fmt: skip


every_method = pytest.mark.parametrize("method", METHODS, ids=IDS)


SEED, SHA256 = 987654, "feedbeef" * 8


def release(method: TableMethod) -> Release:
    """One release for all that only look at it."""
    return _release(METHODS.index(method))


@cache
def _release(place: int) -> Release:
    return METHODS[place].anonymize(WITH_ID, rng=Randomness(SEED), sha256=SHA256)

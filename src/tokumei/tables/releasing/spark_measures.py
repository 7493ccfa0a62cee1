"""Measures of a table on a cluster, from the distinct rows of the original and of the release.

    found = measure_on_spark(original, released, MeasuredRoles(["age", "sex"]), ["default"])
    found.scores["gcp_sets"].value, found.left_out

The distinct tuples with counts come to the driver, where the local measures take them for tables.
Measures that need single rows, most of them beside their originals, are left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from tokumei.core.errors import InputError
from tokumei.core.fields import field_name
from tokumei.core.measure import Score
from tokumei.core.progress import meter
from tokumei.core.text import Text
from tokumei.files.spark.files import SparkTable
from tokumei.files.spark.look import look_at
from tokumei.files.spark.tuples import count_tuples
from tokumei.tables.data.column_kinds import as_kinds, schema_for
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.data.table import Table, require_numbers
from tokumei.tables.hierarchies.choose import choose_hierarchies
from tokumei.tables.registry import measures
from tokumei.tables.releasing.far import Roles
from tokumei.tables.releasing.spark import DRIVER_TUPLES
from tokumei.tables.suite import chosen_measures, measure_suite

OF_VALUES = ("U1", "U2", "U4")
"""The measures that read the sensitive columns."""


@dataclass(frozen=True)
class MeasuredRoles:
    """Which columns are what, and which make the cross table."""

    qi: Sequence[str]
    sa: Sequence[str] = ()
    cross: Sequence[str] = ()
    kinds: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Measured:
    """Scores, and the measures left out: for need of single rows, or for too many tuples."""

    scores: dict[str, Score]
    left_out: list[str]
    too_many: list[str]


def measure_on_spark(
    original: SparkTable,
    released: SparkTable,
    roles: MeasuredRoles,
    names: Sequence[str] = (),
    *,
    params: Mapping[str, Mapping[str, Any]] | None = None,
    hierarchies: str | None = None,
    most: int = DRIVER_TUPLES,
) -> Measured:
    """Score a release by measures, named as for one machine; `hierarchies` also by ncp and prec."""
    given = {name: dict(one) for name, one in (params or {}).items()}
    wanted = chosen_measures(
        [*(names or ["default"]), *(["ncp", "prec"] if hierarchies else [])], given
    )
    usable = [name for name in wanted if getattr(measures.get(name), "from_counts", False)]
    case, whole = _case(original, released, roles, most)
    taken = [name for name in usable if whole or name not in OF_VALUES]
    if hierarchies is not None:
        chosen = choose_hierarchies(hierarchies, case.original.frame, case.qi)
        case = replace(case, hierarchies=chosen)
    scores = measure_suite(case, taken, params=given) if taken else {}
    left_out = [name for name in wanted if name not in usable]
    return Measured(scores, left_out, [name for name in usable if name not in taken])


def _case(
    original: SparkTable, released: SparkTable, roles: MeasuredRoles, most: int
) -> tuple[Comparison, bool]:
    """Both sides as counted tables, with the sensitive columns if their tuples fit the driver."""
    sides = original, released
    keys = list(dict.fromkeys([*roles.qi, *roles.cross]))
    for side in sides:
        Roles([*keys, *roles.sa]).schema(side.frame.columns, where=side.where)
    values = [name for name in roles.sa if name not in keys]
    with meter(Text("looking at the rows", "行を調べています")):
        looks = [look_at(side, [*keys, *values]) for side in sides]
        whole = max(look.tuples for look in looks) <= most
        if not whole:
            values = []
            tuples = max(look_at(side, keys).tuples for side in sides)
            if tuples > most:
                raise InputError(
                    f"about {tuples:,} distinct tuples; the driver can hold {most:,}: measure "
                    f"fewer or coarser columns ({field_name('qi')}, {field_name('cross')})",
                    f"異なる組が約 {tuples:,} あります (ドライバーの上限 {most:,})。"
                    f"列を減らすか粗くしてください ({field_name('qi')}、{field_name('cross')})",
                )
    with meter(Text("counting tuples", "組を数えています")):
        left, right = (count_tuples(side, [*keys, *values]).cells for side in sides)
    left = as_kinds(left, roles.kinds)
    sa = list(roles.sa) if whole else []
    before, after = (
        Table(one, schema_for(one, qi=list(roles.qi), sa=sa, ids=[])) for one in (left, right)
    )
    require_numbers(before, sa, where=original.where, texts=True)
    return Comparison(before, after, np.empty(0, dtype=np.int64), tuple(roles.cross)), whole

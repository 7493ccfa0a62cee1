"""Measures a release on a cluster from distinct rows of original and release.

    found = measure_on_spark(original, released, MeasuredRoles(["age", "sex"]), ["default"])
    found.scores["gcp_sets"].value, found.left_out

The distinct tuples with counts come to the driver, where the local measures take them for tables.
Measures that need single rows, most of them beside their originals, are left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from tokumei.core.errors import InputError
from tokumei.core.fields import field_name
from tokumei.core.measure import Score
from tokumei.core.messages import Message
from tokumei.core.progress import progress_bar
from tokumei.files.spark.column_scan import scan_columns
from tokumei.files.spark.distinct_tuples import count_tuples
from tokumei.files.spark.table_files import SparkTable
from tokumei.tables.anonymization.out_of_core import Roles
from tokumei.tables.anonymization.spark import DRIVER_TUPLES
from tokumei.tables.data.column_kinds import cast_to_kinds, schema_for
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.data.table import Table, require_numbers
from tokumei.tables.evaluation_suite import measure_suite, resolve_measure_names
from tokumei.tables.hierarchies.choose import choose_hierarchies
from tokumei.tables.registry import measures

SENSITIVE_MEASURES = ("U1", "U2", "U4")
"""The measures that read the sensitive columns."""


@dataclass(frozen=True)
class MeasuredRoles:
    """Which columns are what, and which make the cross table."""

    qi: Sequence[str]
    sa: Sequence[str] = ()
    cross: Sequence[str] = ()
    kinds: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class SparkMeasurement:
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
    params: Mapping[str, Mapping[str, object]] | None = None,
    hierarchies: str | None = None,
    most: int = DRIVER_TUPLES,
) -> SparkMeasurement:
    """Score a release by measures, named as for one machine; `hierarchies` also by ncp and prec."""
    measure_params = {name: dict(values) for name, values in (params or {}).items()}
    measure_names = resolve_measure_names(
        [*(names or ["default"]), *(["ncp", "prec"] if hierarchies else [])], measure_params
    )
    usable = [name for name in measure_names if getattr(measures.get(name), "from_counts", False)]
    case, fits_driver = _read_counted_comparison(original, released, roles, most)
    measured = [name for name in usable if fits_driver or name not in SENSITIVE_MEASURES]
    if hierarchies is not None:
        chosen = choose_hierarchies(hierarchies, case.original.frame, case.qi)
        case = replace(case, hierarchies=chosen)
    scores = measure_suite(case, measured, params=measure_params) if measured else {}
    left_out = [name for name in measure_names if name not in usable]
    return SparkMeasurement(scores, left_out, [name for name in usable if name not in measured])


def _read_counted_comparison(
    original: SparkTable, released: SparkTable, roles: MeasuredRoles, most: int
) -> tuple[Comparison, bool]:
    """Both sides as counted tables, with the sensitive columns if their tuples fit the driver."""
    sides = original, released
    keys = list(dict.fromkeys([*roles.qi, *roles.cross]))
    for side in sides:
        Roles([*keys, *roles.sa]).schema(side.frame.columns, where=side.where)
    values = [name for name in roles.sa if name not in keys]
    with progress_bar(Message("looking at the rows")):
        profiles = [scan_columns(side, [*keys, *values]) for side in sides]
        fits_driver = max(side_profile.tuples for side_profile in profiles) <= most
        if not fits_driver:
            values = []
            tuples = max(scan_columns(side, keys).tuples for side in sides)
            if tuples > most:
                raise InputError(
                    "about {tuples:,} distinct tuples; the driver can hold {most:,}: measure fewer "
                    "or coarser columns ({qi}, {cross})",
                    tuples=tuples,
                    most=most,
                    qi=field_name("qi"),
                    cross=field_name("cross"),
                )
    with progress_bar(Message("counting tuples")):
        left, right = (count_tuples(side, [*keys, *values]).cells for side in sides)
    left = cast_to_kinds(left, roles.kinds)
    sa = list(roles.sa) if fits_driver else []
    before, after = (
        Table(frame, schema_for(frame, qi=list(roles.qi), sa=sa, ids=[])) for frame in (left, right)
    )
    require_numbers(before, sa, where=original.where, texts=True)
    return Comparison(before, after, np.empty(0, dtype=np.int64), tuple(roles.cross)), fits_driver

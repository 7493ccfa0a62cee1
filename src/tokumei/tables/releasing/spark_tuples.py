"""A method on the distinct tuples of a table on a cluster, brought to the driver.

    made = on_driver(table, tuples, asked, as_text=False, rng=rng, order=None)
    made.table                          # the recoded rows, on the cluster

The method sees the tuples as a table whose rows stand for many (`data/counted.py`), and gives every
tuple its cells; a join brings them to the rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tokumei.core.randomness import Randomness
from tokumei.core.release import Claim, Search
from tokumei.files.spark.files import SparkTable
from tokumei.tables.data.counted import COUNT
from tokumei.tables.engines.spark import KEY, SparkEngine, Tuples
from tokumei.tables.releasing.counted_method import Asked, changed_tuples, is_unchanged, new_cells


@dataclass(frozen=True, eq=False)
class Made:
    """Recoded rows on the cluster, how many they are, and what is claimed of them."""

    table: SparkTable
    rows: int
    claims: Sequence[Claim]
    searches: tuple[Search, ...] = ()
    unchanged: bool = False


def on_driver(
    table: SparkTable,
    tuples: Tuples,
    asked: Asked,
    *,
    as_text: bool,
    rng: Randomness,
    order: Randomness | None,
) -> Made:
    """Recode, with `order` in a random one; with `as_text`, cells as they stand in a CSV file."""
    qi = asked.schema.qi
    step = changed_tuples(asked, tuples.cells, rng=rng)
    rows = int(step.table.frame[COUNT].sum())
    source, cells = new_cells(step, tuples.source, qi, as_text=as_text)
    new = {name: cells[name] for name in qi}
    given = SparkEngine().give(table, source.select(*qi, KEY), new, shuffle=order)
    unchanged = is_unchanged(step, tuples.cells, qi)
    return Made(given, rows, step.claims, step.searches, unchanged)

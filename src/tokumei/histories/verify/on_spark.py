"""Identical histories, counted on a cluster from the rows that were written.

    found = identical_on_spark(rows, 6)
    found.faults, found.total, found.rows

People are compared by all their rows, sorted: no hash stands for the text, so nothing collides.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokumei.core.claims import Found
from tokumei.core.errors import LISTED, Fault
from tokumei.core.text import Text
from tokumei.histories.verify.identical_histories import IdenticalHistories

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_CELLS = ("day", "item", "price", "quantity")
_HISTORY, _PEOPLE, _PERSON = "tokumei_history", "tokumei_people", "tokumei_person"


def identical_on_spark(rows: DataFrame, k: int) -> Found:
    """The histories that fewer than k people have, and how many rows are not deleted."""
    from pyspark.sql import functions as f

    deleted = f.lit(True)
    for name in ("customer", *_CELLS):
        deleted &= f.col(name).eqNullSafe("*")
    purchases = f.sort_array(f.collect_list(f.struct(*_CELLS)))
    people = rows.where(~deleted).groupBy("customer").agg(purchases.alias(_HISTORY))
    alike = people.groupBy(_HISTORY).agg(
        f.count("*").alias(_PEOPLE), f.min("customer").alias(_PERSON)
    )
    small = f.col(_PEOPLE) < IdenticalHistories(k).k
    kept = f.coalesce(f.sum(f.col(_PEOPLE) * f.size(_HISTORY)), f.lit(0))
    counted = alike.agg(kept, f.count_if(small)).head()
    assert counted is not None
    faults = []
    if counted[1]:
        listed = alike.where(small).orderBy(_PEOPLE, _PERSON).limit(LISTED)
        shown = listed.select(_PERSON, _PEOPLE).collect()
        faults = [_fault(one[0], one[1], k) for one in shown]
    return Found(faults, counted[1], counted[0])


def require_identical_on_spark(rows: DataFrame, k: int, *, kept: int) -> None:
    """Fail, naming the rarest histories, unless k people share each, in so many rows in all."""
    identical_on_spark(rows, k).require(kept)


def _fault(person: str, people: int, k: int) -> Fault:
    return Fault(
        rule=IdenticalHistories.name,
        column="customer",
        message=Text(
            f"only {people} person(s) have the history of '{person}'; k = {k} needed",
            f"'{person}' と同じ履歴の人は {people} 人しかいません。k = {k} が必要です",
        ),
    )

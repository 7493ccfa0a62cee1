"""Hold people out before a table is anonymized: members, control and reference.

parts = split_people(people, control=0.3, reference=0.2, seed=1)
release = tk.anonymize(parts["members"], "mondrian", k=5)
"""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from tokumei.core.errors import InputError, UnknownNameError, UsageError
from tokumei.core.randomness import Randomness
from tokumei.tables.audit.people import FEWEST, without_person
from tokumei.tables.data.schema import COLUMN
from tokumei.tables.data.table import Table

PARTS = ("members", "control", "reference")


def split_people(
    source: Any,
    *,
    control: float = 0.3,
    reference: float = 0.2,
    person: str | None = None,
    seed: int | None = None,
) -> dict[str, Table]:
    """Three parts at random, by shares of the people; without a reference there are two.

    `person`: the column that tells people; all rows of one go to the same part. A row without an
    entry there is a person of its own (`without_person`).
    """
    table = Table.of(source)
    _require_shares(control, reference)
    if person is not None and person not in table.schema.names:
        raise UnknownNameError(COLUMN, person, table.schema.names)
    who = np.arange(table.rows)
    if person is not None:
        ids = table.frame[person]
        named = ids.rank("dense").fill_null(0).cast(pl.Int64).to_numpy()
        who = np.where(without_person(ids).to_numpy(), -1 - who, named)
    people = np.unique(who)
    order = Randomness(seed).child("audit", "split").permutation(len(people))
    held = [round(control * len(people)), round(reference * len(people))]
    part = np.zeros(len(people), dtype=np.int64)
    part[order[: held[0]]] = 1
    part[order[held[0] : sum(held)]] = 2
    of_row = part[np.searchsorted(people, who)]
    found = {
        name: table.take(np.flatnonzero(of_row == number))
        for number, name in enumerate(PARTS)
        if number < 2 or reference > 0
    }
    _require_enough(found)
    return found


def _require_shares(control: float, reference: float) -> None:
    if not (0 < control < 1 and 0 <= reference < 1 and control + reference < 1):
        raise UsageError(
            "the shares of control and reference are above 0 and leave members over",
            "対照と参照の割合は 0 より大きく、合計が 1 未満でなければなりません",
        )


def _require_enough(parts: dict[str, Table]) -> None:
    for name in ("members", "control"):
        if parts[name].rows < FEWEST:
            raise InputError(
                f"{parts[name].rows} rows for {name}: at least {FEWEST} are needed",
                f"{name} が {parts[name].rows} 行です。少なくとも {FEWEST} 行必要です",
            )

"""Chooses k for a table: reads and plans its file, and tries every k."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tokumei.tables.advice.choose_k import MAX_RATE, choose_planned
from tokumei.tables.advice.k_choice import Choice
from tokumei.tables.services.plan_table import plan_table_file
from tokumei.tables.services.requests import TableRequest

if TYPE_CHECKING:
    from tokumei.tables.anonymization.column_plan import ColumnPlan


@dataclass(frozen=True, kw_only=True)
class ChooseTableRequest:
    """A table, the values of k to try, and the share of people that may be found at most."""

    table: TableRequest
    values: tuple[int, ...]
    params: Mapping[str, object] = field(default_factory=dict)
    max_rate: float = MAX_RATE
    attacks: tuple[str, ...] = ()
    seed: int | None = None


@dataclass(frozen=True, eq=False)
class ChosenTable:
    """The choice, and how the columns were planned."""

    choice: Choice
    planned: ColumnPlan


def choose_table(request: ChooseTableRequest) -> ChosenTable:
    """Try every k on the table of a file."""
    _, planned = plan_table_file(request.table, lambda known: known.build_method(request.params))
    choice = choose_planned(
        planned.table,
        planned.method,
        request.values,
        max_rate=request.max_rate,
        attacks=request.attacks,
        seed=request.seed,
    )
    return ChosenTable(choice, planned)

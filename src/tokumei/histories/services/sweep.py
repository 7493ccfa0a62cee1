"""Sweeps releases of a history over a parameter: what each loses, risks and keeps.

swept = sweep_history(SweepHistoryRequest(source=source, methods={"aligned": {}}, values=(2, 6)))
swept.sweeps[0].best
"""

from __future__ import annotations

from dataclasses import dataclass

from tokumei.core.messages import Message
from tokumei.core.sweep import Sweep, sweep
from tokumei.histories.categories.mapping import Categories
from tokumei.histories.data.history import History
from tokumei.histories.kind import HISTORIES
from tokumei.histories.services.read import choose_item_categories, read_history
from tokumei.histories.services.requests import SweepHistoryRequest


@dataclass(frozen=True, eq=False)
class SweptHistory:
    """A sweep of each method, the history, the categories of its items, what to know of it."""

    sweeps: list[Sweep]
    history: History
    categories: Categories | None
    notes: list[Message]


def sweep_history(request: SweepHistoryRequest) -> SweptHistory:
    """Release, measure and attack with every value; with categories both with and without them."""
    read, choice = read_history(request.source), request.categories
    categories = None if choice is None else choose_item_categories(read.history, choice)
    sweeps = [
        sweep(
            HISTORIES,
            read.history,
            method,
            request.values,
            params=params,
            measures=request.measures,
            attacks=request.attacks,
            categories=categories,
            seed=request.seed,
        )
        for method, params in request.methods.items()
    ]
    return SweptHistory(sweeps, read.history, categories, read.notes)

"""Histories swept over a parameter: losses and risks, with and without item categories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tokumei.core.flow import make_release
from tokumei.core.sweep import Sweep, SweepPoint, run_sweep
from tokumei.histories.categories.categories import Categories
from tokumei.histories.data.history import History
from tokumei.histories.data.release import HistoryRelease
from tokumei.histories.flow import attack, measure
from tokumei.histories.kind import HISTORIES
from tokumei.histories.measures.category_loss import honest_loss
from tokumei.histories.measures.loss import history_loss
from tokumei.histories.registry import anonymizers

COLUMNS = ("day", "item", "price", "quantity")


def sweep_history(
    history: History,
    method: str,
    values: Sequence[Any],
    *,
    parameter: str = "k",
    params: Mapping[str, Any] | None = None,
    measures: Sequence[str] = (),
    attacks: Sequence[str] = (),
    prepared: Any = None,
    seed: int | None = None,
) -> Sweep:
    """Loss, risk (1/k, what the verified claim leaves) and what else is asked, for every value."""
    methods = with_values(method, params, parameter, values)
    shared = shared_work(methods, parameter, history) if prepared is None else prepared

    def trial(value: Any) -> SweepPoint:
        release = make_release(HISTORIES, history, methods[value], seed=seed, prepared=shared)
        return _point(value, history, release, measures, attacks, seed)

    return run_sweep(method, parameter, values, trial, params)


def sweep_by_category(
    history: History,
    categories: Categories,
    plain: Sweep,
    *,
    measures: Sequence[str] = (),
    attacks: Sequence[str] = (),
    seed: int | None = None,
) -> Sweep:
    """The sweep `plain` again with every item replaced by its category first.

    `loss` is then the contest's figure, against the replaced items; `honest_loss` the one against
    the real items, `plain_loss` that of the release that keeps them.
    """
    before = {point.value: point.loss for point in plain.points}
    source = history.with_items(categories.of)
    methods = with_values(plain.method, plain.params, plain.parameter, list(before))
    shared = shared_work(methods, plain.parameter, source)

    def trial(value: Any) -> SweepPoint:
        release = make_release(HISTORIES, source, methods[value], seed=seed, prepared=shared)
        honest = honest_loss(history, release.rows, categories.of).loss
        more = {"honest_loss": honest, "plain_loss": before[value]}
        return _point(value, source, release, measures, attacks, seed, more)

    return run_sweep(plain.method, plain.parameter, list(before), trial, plain.params)


def with_values(
    method: str, params: Mapping[str, Any] | None, parameter: str, values: Sequence[Any]
) -> dict[Any, Any]:
    """The method with every value of a parameter."""
    given = dict(params or {})
    return {v: anonymizers.build(method, {**given, parameter: v}) for v in values}


def shared_work(methods: Mapping[Any, Any], parameter: str, history: History) -> Any:
    """What all releases share; only k may differ between them, nothing else."""
    return next(iter(methods.values())).prepare(history) if parameter == "k" else None


def _point(
    value: Any,
    history: History,
    release: HistoryRelease,
    measures: Sequence[str],
    attacks: Sequence[str],
    seed: int | None,
    more: Mapping[str, float] | None = None,
) -> SweepPoint:
    loss = history_loss(history, release.rows)
    measured = {**(more or {}), **{f"loss_{name}": getattr(loss, name) for name in COLUMNS}}
    if measures:
        scores = measure(history, release, methods=measures)
        measured |= {name: score.value for name, score in scores.items()}
    if attacks:
        rates = attack(history, release, methods=attacks, seed=seed)
        measured |= {f"attack_{name}": rate.rate for name, rate in rates.items()}
    return SweepPoint(value, loss.loss, 1 / (release.k or 1), loss.rows_kept, measured)

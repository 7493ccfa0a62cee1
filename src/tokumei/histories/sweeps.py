"""Histories swept over a parameter: losses and risks, with and without item categories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tokumei.core.attack import Params
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
    settings: Params | None = None,
    prepared: Any = None,
    seed: int | None = None,
) -> Sweep:
    """Loss, risk (1/k, what the verified claim leaves) and what else is asked, for every value.

    `settings` are parameters of measures and attacks, by their names.
    """
    methods = with_values(method, params, parameter, values)
    shared = shared_work(methods, parameter, history) if prepared is None else prepared
    wanted = _Wanted(measures, attacks, settings, seed)

    def trial(value: Any) -> SweepPoint:
        release = make_release(HISTORIES, history, methods[value], seed=seed, prepared=shared)
        return _point(value, history, release, wanted)

    return run_sweep(method, parameter, values, trial, params)


def sweep_by_category(
    history: History,
    categories: Categories,
    plain: Sweep,
    *,
    measures: Sequence[str] = (),
    attacks: Sequence[str] = (),
    settings: Params | None = None,
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
    wanted = _Wanted(measures, attacks, settings, seed)

    def trial(value: Any) -> SweepPoint:
        release = make_release(HISTORIES, source, methods[value], seed=seed, prepared=shared)
        honest = honest_loss(history, release.rows, categories.of).loss
        more = {"honest_loss": honest, "plain_loss": before[value]}
        return _point(value, source, release, wanted, more)

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


@dataclass(frozen=True)
class _Wanted:
    """What else is asked of every release."""

    measures: Sequence[str]
    attacks: Sequence[str]
    settings: Params | None
    seed: int | None

    def of(self, history: History, release: HistoryRelease) -> dict[str, float]:
        """The figures, by name."""
        found: dict[str, float] = {}
        if self.measures:
            scores = measure(history, release, methods=self.measures, params=self.settings)
            found |= {name: score.value for name, score in scores.items()}
        if self.attacks:
            rates = attack(
                history, release, methods=self.attacks, params=self.settings, seed=self.seed
            )
            found |= {f"attack_{name}": rate.rate for name, rate in rates.items()}
        return found


def _point(
    value: Any,
    history: History,
    release: HistoryRelease,
    wanted: _Wanted,
    more: Mapping[str, float] | None = None,
) -> SweepPoint:
    loss = history_loss(history, release.rows)
    measured = {**(more or {}), **{f"loss_{name}": getattr(loss, name) for name in COLUMNS}}
    measured |= wanted.of(history, release)
    return SweepPoint(value, loss.loss, 1 / (release.k or 1), loss.rows_kept, measured)

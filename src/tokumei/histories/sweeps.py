"""Histories swept over a parameter: losses and risks, with and without item categories.

    within(found, 0.2).value            # the least loss whose attack stays below a threshold

Loss and risk have different units, so no sum decides: the Pareto front holds what nothing beats in
both, the strongest attack stands with its interval beside 1/k, the contest's test R(n) says whether
the hits show that the release is unsafe, and the threshold is the user's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tokumei.core.ask import Listing
from tokumei.core.flow import Params
from tokumei.core.sweep import Sweep, SweepPoint, Trial, run_sweep
from tokumei.core.text import Text
from tokumei.histories.categories.categories import Categories
from tokumei.histories.data.guess import HistoryHits
from tokumei.histories.data.history import History
from tokumei.histories.data.release import HistoryRelease
from tokumei.histories.flow import anonymize, attack, measure
from tokumei.histories.measures.losses import honest_loss
from tokumei.histories.measures.protocol import history_loss
from tokumei.histories.registry import anonymizers

FOUND, LOW, HIGH, UNSAFE = (f"strongest_{name}" for name in ("found", "low", "high", "unsafe"))


def history_trial(
    history: History,
    method: str,
    values: Sequence[Any],
    *,
    parameter: str = "k",
    params: Mapping[str, Any] | None = None,
    measures: Sequence[str] = (),
    attacks: Sequence[str] = (),
    settings: Params | None = None,
    categories: Categories | None = None,
    prepared: Any = None,
    seed: int | None = None,
) -> Trial:
    """Loss, risk (1/k, what the verified claim leaves) and what else is asked, for every value.

    `settings` are parameters of measures and attacks, by name. With `categories` the items are
    replaced first; the releases that keep them are swept here.
    """
    asked = _Asked(measures, attacks, seed, settings)
    methods = with_values(method, params, parameter, values)
    shared = shared_work(methods, parameter, history) if prepared is None else prepared

    def trial(value: Any) -> SweepPoint:
        release = anonymize(history, methods[value], seed=seed, prepared=shared)
        return asked.point(value, history, release)

    if categories is None:
        return trial
    plain = run_sweep(method, parameter, values, trial, params)
    return _by_category(history, categories, plain, methods, asked)


def sweep_by_category(
    history: History,
    categories: Categories,
    plain: Sweep,
    *,
    measures: Sequence[str] = (),
    settings: Params | None = None,
    seed: int | None = None,
) -> Sweep:
    """The sweep `plain` again with every item replaced by its category first."""
    asked = _Asked(measures, (), seed, settings)
    values = [point.value for point in plain.points]
    methods = with_values(plain.method, plain.params, plain.parameter, values)
    trial = _by_category(history, categories, plain, methods, asked)
    return run_sweep(plain.method, plain.parameter, values, trial, plain.params)


def _by_category(
    history: History,
    categories: Categories,
    plain: Sweep,
    methods: Mapping[Any, Any],
    asked: _Asked,
) -> Trial:
    """`loss` is the contest's figure, against the replaced items; `honest_loss` the one against
    the real items, `plain_loss` that of the release that keeps them.
    """
    before = {point.value: point.loss for point in plain.points}
    source = history.with_items(categories.of)
    shared = shared_work(methods, plain.parameter, source)

    def trial(value: Any) -> SweepPoint:
        release = anonymize(source, methods[value], seed=asked.seed, prepared=shared)
        honest = honest_loss(history, release.rows, categories.of).loss
        more = {"honest_loss": honest, "plain_loss": before[value]}
        return asked.point(value, source, release, more)

    return trial


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
class _Asked:
    """What is asked of every release besides its loss."""

    measures: Sequence[str]
    attacks: Sequence[str]
    seed: int | None
    settings: Params | None = None

    def point(
        self,
        value: Any,
        history: History,
        release: HistoryRelease,
        more: Mapping[str, float] | None = None,
    ) -> SweepPoint:
        """All figures of a release."""
        loss = history_loss(history, release.rows)
        measured = {**(more or {}), **{f"loss_{name}": part for name, part in loss.parts.items()}}
        if self.measures:
            scores = measure(history, release, methods=self.measures, params=self.settings)
            measured |= {name: score.value for name, score in scores.items()}
        if self.attacks:
            rates = attack(
                history, release, methods=self.attacks, params=self.settings, seed=self.seed
            )
            measured |= {f"attack_{name}": rate.rate for name, rate in rates.items()}
            measured |= strongest_figures(rates)
        return SweepPoint(value, loss.loss, 1 / (release.k or 1), loss.rows_kept, measured)


def strongest_figures(rates: Mapping[str, HistoryHits]) -> dict[str, float]:
    """Rate and interval of the strongest attack, and whether any shows the release to be unsafe."""
    best = max(rates.values(), key=lambda one: one.rate)
    unsafe = any(one.unsafe for one in rates.values())
    return {FOUND: best.rate, LOW: best.low, HIGH: best.high, UNSAFE: float(unsafe)}


def within(found: Sweep, most: float) -> SweepPoint | None:
    """The release of least loss whose strongest attack finds at most this share, interval too."""
    safe = [point for point in found.points if point.measured[HIGH] <= most]
    return min(safe, key=lambda point: point.loss, default=None)


YES, NO = Text("yes", "はい"), Text("no", "いいえ")
SHOWN = Text("shown unsafe", "安全でない")
NOT_SHOWN = Text("not shown unsafe", "安全でないとは言えない")


def standards_listing(found: Sweep) -> Listing:
    """Of every release with attacks: loss, 1/k, the strongest attack beside it, R(n), the front.

    An attack is within 1/k if its interval reaches down to it, or lies below it.
    """
    rows = []
    for point, front in zip(found.points, found.front(), strict=True):
        rate, low, high, unsafe = (point.measured[name] for name in (FOUND, LOW, HIGH, UNSAFE))
        figures = [f"{point.value}", f"{point.loss:.4f}", f"{point.risk:.4f}"]
        figures.append(f"{rate:.4f} [{low:.4f}; {high:.4f}]")
        promised, shown = (YES if low <= point.risk else NO), (SHOWN if unsafe else NOT_SHOWN)
        rows.append([*figures, promised.show(), shown.show(), "●" if front else ""])
    names: list[Text | str] = [found.parameter, Text("loss", "損失"), "1/k"]
    names += [Text("strongest attack [95 %]", "最も強い攻撃 [95 %]")]
    names += [Text("within 1/k", "1/k 以内"), "R(n)", Text("Pareto front", "パレート最適")]
    title = Text(f"{found.label}: loss and safety", f"{found.label}: 損失と安全性")
    return Listing(title, names, rows)


def choice_words(found: Sweep, most: float) -> Text:
    """Which release a threshold chooses."""
    chosen = within(found, most)
    if chosen is None:
        return Text(
            f"{found.label}: no release keeps the strongest attack at {most:.1%} or less",
            f"{found.label}: 最も強い攻撃を {most:.1%} 以下に抑えるものはありません",
        )
    return Text(
        f"{found.label}: {found.parameter} = {chosen.value} has the least loss "
        f"({chosen.loss:.4f}) of those whose strongest attack stays at {most:.1%} or less",
        f"{found.label}: 最も強い攻撃を {most:.1%} 以下に抑えるもののうち、損失が最小なのは "
        f"{found.parameter} = {chosen.value} ({chosen.loss:.4f}) です",
    )

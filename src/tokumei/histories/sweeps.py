"""Sweeps releases of a history over a parameter, with and without item categories.

    within(found, 0.2).value            # the least loss whose attack stays below a threshold

Loss and risk have different units, so no sum decides: the Pareto front holds what nothing beats in
both, the strongest attack stands with its interval beside 1/k, the contest's test R(n) says whether
the hits show that the release is unsafe, and the threshold is the user's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tokumei.core.command import TextTable
from tokumei.core.messages import Message
from tokumei.core.sweep import Sweep, SweepPoint, Trial, run_sweep
from tokumei.core.workflow import ParamsByMethod
from tokumei.histories.anonymizers.grouping_method import GroupingMethod
from tokumei.histories.categories.mapping import Categories
from tokumei.histories.data.guess import HistoryHits
from tokumei.histories.data.history import History
from tokumei.histories.data.release import HistoryRelease
from tokumei.histories.flow import anonymize, attack, measure
from tokumei.histories.measures.losses import honest_loss
from tokumei.histories.measures.protocol import history_loss
from tokumei.histories.registry import anonymizers

STRONGEST_FOUND, STRONGEST_LOW, STRONGEST_HIGH, STRONGEST_UNSAFE = (
    f"strongest_{name}" for name in ("found", "low", "high", "unsafe")
)


def history_trial(
    history: History,
    method: str,
    values: Sequence[object],
    *,
    parameter: str = "k",
    params: Mapping[str, object] | None = None,
    measures: Sequence[str] = (),
    attacks: Sequence[str] = (),
    settings: ParamsByMethod | None = None,
    categories: Categories | None = None,
    prepared: object = None,
    seed: int | None = None,
) -> Trial:
    """Loss, risk (1/k, what the verified claim leaves) and what else is asked, for every value.

    `settings` are parameters of measures and attacks, by name. With `categories` the items are
    replaced first; the releases that keep them are swept here.
    """
    trial_settings = _TrialSettings(measures, attacks, seed, settings)
    methods = build_methods(method, params, parameter, values)
    shared = prepare_shared(methods, parameter, history) if prepared is None else prepared

    def trial(value: object) -> SweepPoint:
        release = anonymize(history, methods[value], seed=seed, prepared=shared)
        return trial_settings.measure_point(value, history, release)

    if categories is None:
        return trial
    plain = run_sweep(method, parameter, values, trial, params)
    return _make_category_trial(history, categories, plain, methods, trial_settings)


def sweep_by_category(
    history: History,
    categories: Categories,
    plain: Sweep,
    *,
    measures: Sequence[str] = (),
    settings: ParamsByMethod | None = None,
    seed: int | None = None,
) -> Sweep:
    """The sweep `plain` again with every item replaced by its category first."""
    trial_settings = _TrialSettings(measures, (), seed, settings)
    values = [point.value for point in plain.points]
    methods = build_methods(plain.method, plain.params, plain.parameter, values)
    trial = _make_category_trial(history, categories, plain, methods, trial_settings)
    return run_sweep(plain.method, plain.parameter, values, trial, plain.params)


def _make_category_trial(
    history: History,
    categories: Categories,
    plain: Sweep,
    methods: Mapping[object, GroupingMethod],
    trial_settings: _TrialSettings,
) -> Trial:
    """`loss` is the contest's figure, against the replaced items; `honest_loss` the one against
    the real items, `plain_loss` that of the release that keeps them.
    """
    plain_losses = {point.value: point.loss for point in plain.points}
    source = history.with_items(categories.of)
    shared = prepare_shared(methods, plain.parameter, source)

    def trial(value: object) -> SweepPoint:
        release = anonymize(source, methods[value], seed=trial_settings.seed, prepared=shared)
        honest = honest_loss(history, release.rows, categories.of).loss
        more = {"honest_loss": honest, "plain_loss": plain_losses[value]}
        return trial_settings.measure_point(value, source, release, more)

    return trial


def build_methods(
    method: str, params: Mapping[str, object] | None, parameter: str, values: Sequence[object]
) -> dict[object, GroupingMethod]:
    """The method with every value of a parameter."""
    base_params = dict(params or {})
    return {v: anonymizers.build(method, {**base_params, parameter: v}) for v in values}


def prepare_shared(
    methods: Mapping[object, GroupingMethod], parameter: str, history: History
) -> object:
    """What all releases share; only k may differ between them, nothing else."""
    return next(iter(methods.values())).prepare(history) if parameter == "k" else None


@dataclass(frozen=True)
class _TrialSettings:
    """What is asked of every release besides its loss."""

    measures: Sequence[str]
    attacks: Sequence[str]
    seed: int | None
    settings: ParamsByMethod | None = None

    def measure_point(
        self,
        value: object,
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
            measured |= strongest_attack_figures(rates)
        return SweepPoint(value, loss.loss, 1 / (release.k or 1), loss.rows_kept, measured)


def strongest_attack_figures(rates: Mapping[str, HistoryHits]) -> dict[str, float]:
    """Rate and interval of the strongest attack, and whether any shows the release to be unsafe."""
    best = max(rates.values(), key=lambda hits: hits.rate)
    unsafe = any(hits.unsafe for hits in rates.values())
    return {
        STRONGEST_FOUND: best.rate,
        STRONGEST_LOW: best.low,
        STRONGEST_HIGH: best.high,
        STRONGEST_UNSAFE: float(unsafe),
    }


def select_within_risk(swept: Sweep, max_risk: float) -> SweepPoint | None:
    """The release of least loss whose strongest attack finds at most this share, interval too."""
    safe = [point for point in swept.points if point.measured[STRONGEST_HIGH] <= max_risk]
    return min(safe, key=lambda point: point.loss, default=None)


YES, NO = Message("yes"), Message("no")
SHOWN_UNSAFE = Message("beyond the contest's threshold")
NOT_SHOWN_UNSAFE = Message("within the contest's threshold")


def attack_table(swept: Sweep) -> TextTable:
    """Of every release with attacks: loss, 1/k, the strongest attack beside it, R(n), the front.

    An attack is within 1/k if its interval reaches down to it, or lies below it.
    """
    rows = []
    for point, front in zip(swept.points, swept.front(), strict=True):
        rate, low, high, unsafe = (
            point.measured[name]
            for name in (STRONGEST_FOUND, STRONGEST_LOW, STRONGEST_HIGH, STRONGEST_UNSAFE)
        )
        figures = [f"{point.value}", f"{point.loss:.4f}", f"{point.risk:.4f}"]
        figures.append(f"{rate:.4f} [{low:.4f}; {high:.4f}]")
        promised, test_result = (
            (YES if low <= point.risk else NO),
            (SHOWN_UNSAFE if unsafe else NOT_SHOWN_UNSAFE),
        )
        rows.append([*figures, promised.show(), test_result.show(), "●" if front else ""])
    names: list[Message | str] = [swept.parameter, Message("loss"), "1/k"]
    names += [Message("strongest attack [95 %]")]
    names += [Message("within 1/k"), "R(n)", Message("Pareto front")]
    title = Message("{label}: loss and safety", label=swept.label)
    return TextTable(title, names, rows)


def describe_choice(swept: Sweep, max_risk: float) -> Message:
    """Which release a threshold chooses."""
    chosen = select_within_risk(swept, max_risk)
    if chosen is None:
        return Message(
            "{label}: no release keeps the strongest attack at {limit:percent} or less",
            label=swept.label,
            limit=max_risk,
        )
    return Message(
        "{label}: {parameter} = {chosen} has the least loss ({loss:.4f}) of those whose strongest "
        "attack stays at {limit:percent} or less",
        label=swept.label,
        parameter=swept.parameter,
        chosen=chosen.value,
        loss=chosen.loss,
        limit=max_risk,
    )

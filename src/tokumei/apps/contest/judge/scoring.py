"""Combines measures and attacks, also the organiser's own, to U, S and a total.

    scorecard(contest.scoring, {"loss": 0.3}, {"best": {"1": 0.2}}, unsafe=False)

The organiser's Python file beside contest.yaml holds up to three mappings from names to classes:

    MEASURES = {"my-loss": MyLoss}       # score(case) -> Score, lower is better
    ATTACKS = {"my-attack": MyAttack}    # attack(…) -> a guess, as the format's attacks
    RULES = {"my-rule": MyRule}          # check(submission, *, source) -> list of faults

Classes are frozen dataclasses, as all methods of the library; the names are known to this contest
alone. The file is run wherever the contest is judged: trust it as you trust contest.yaml.
"""

from __future__ import annotations

import importlib.util
import math
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, is_dataclass
from pathlib import Path
from statistics import fmean
from types import ModuleType
from typing import Any, TypeAlias

from tokumei.apps.contest.judge.results import Scorecard
from tokumei.apps.contest.spec.formats import find_contest_format
from tokumei.apps.contest.spec.model import ContestSpec, Scoring
from tokumei.core.errors import InputError, UnknownNameError, UsageError
from tokumei.core.format_judge import FULL_KNOWLEDGE
from tokumei.core.measure import Goal
from tokumei.core.registry import Registry, build_params
from tokumei.files.file_formats import sha256_of_file

Method: TypeAlias = Any
"""A measure, an attack or a rule: of the library, or of the organiser's own file."""
ClassesByName: TypeAlias = Mapping[str, type[Method]]
AttackRates = Mapping[str, Mapping[str, float]]
"""What every attack found with every knowledge."""
DEFAULT, ALL = "default", "all"
RECOGNITION = "recognition"
"""The name among the attacks of what values show."""
COMPLEMENT_TOTALS = ("harmonic", "product")
MOST_LOSS = 1e300
"""What an infinite loss (intervals in a constant column) counts as: JSON has no infinity."""


@dataclass(frozen=True)
class MethodCatalogue:
    """Names of one kind: those of a registry and those of this contest."""

    registry: Registry[Method]
    own: ClassesByName

    def names(self) -> list[str]:
        """All of them, the library's first."""
        return list(dict.fromkeys([*self.registry.names(), *self.own]))

    def get(self, name: str, *, where: str = "") -> type[Method]:
        """The class behind a name."""
        if name in self.own:
            return self.own[name]
        if name not in self.names():
            raise UnknownNameError(self.registry.what, name, self.names(), where=where)
        return self.registry.get(name)

    def build(self, name: str, params: Mapping[str, object] | None, *, where: str) -> Method:
        """An object of the class behind a name, its parameters checked."""
        kind = self.get(name, where=where)
        return build_params(kind, dict(params or {}), where=f"{where}: {name}")


@dataclass(frozen=True)
class ContestMethods:
    """What a contest may name."""

    measures: MethodCatalogue
    attackers: MethodCatalogue
    rules: MethodCatalogue


def load_contest_methods(contest: ContestSpec, folder: Path) -> ContestMethods:
    """The library's measures, attacks and rules for a format, and the organiser's own."""
    module = None if contest.extra is None else _import_extra_file(folder / contest.extra)
    form = find_contest_format(contest.format)
    kind, judge = form.kind, form.judge
    organiser_classes = {
        name: _organiser_classes(module, name) for name in ("MEASURES", "ATTACKS", "RULES")
    }
    if not judge.takes_own_methods and (
        organiser_classes["MEASURES"] or organiser_classes["ATTACKS"]
    ):
        raise UsageError(
            "extra: the format '{format}' takes rules of your own, but no measures or attacks",
            format=form.name,
        )
    return ContestMethods(
        MethodCatalogue(kind.measures, organiser_classes["MEASURES"]),
        MethodCatalogue(kind.attackers, organiser_classes["ATTACKS"]),
        MethodCatalogue(kind.claim_checks, {**judge.rules, **organiser_classes["RULES"]}),
    )


def _import_extra_file(path: Path) -> ModuleType:
    # Dataclasses look their module up by name: every content has its own.
    name = f"tokumei_contest_extra_{sha256_of_file(path)[:16]}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise InputError("{file} is not a Python file", file=path.name)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as err:
        del sys.modules[name]
        error_text = f"{type(err).__name__}: {err}"
        raise InputError("{file} cannot be run: {error}", file=path.name, error=error_text) from err
    return module


def _organiser_classes(module: ModuleType | None, kind: str) -> ClassesByName:
    mapping = getattr(module, kind, {})
    classes = mapping.values() if isinstance(mapping, Mapping) else [None]
    if not all(isinstance(item, type) and is_dataclass(item) for item in classes):
        raise UsageError("{kind} must map names to frozen dataclasses", kind=kind)
    return dict(mapping)


def combine_values(values: Sequence[float], how: str) -> float:
    """The values' max, min, mean, harmonic mean (0 if one is 0) or product."""
    if how == "mean":
        return fmean(values)
    if how == "product":
        return math.prod(values)
    if how == "harmonic":
        return len(values) / sum(1 / value for value in values) if all(values) else 0.0
    return {"max": max, "min": min}[how](values)


def combine_total(utility: float | None, safety: float | None, how: str) -> float | None:
    """A release's total from U and S (`utility`: U alone); None where a part is lacking.

    `harmonic` and `product` combine what is kept, 1 − U and 1 − S (0 from a loss of 1 on): of the
    losses themselves they would be 0, the best there is, for raw data.
    """
    if utility is None or (safety is None and how != "utility"):
        return None
    if safety is None or how == "utility":
        return utility
    if how == "mean":
        return (utility + safety) / 2
    if how in COMPLEMENT_TOTALS:
        return 1.0 - combine_values([max(1.0 - utility, 0.0), max(1.0 - safety, 0.0)], how)
    return combine_values([utility, safety], how)


def build_scorecard(
    scoring: Scoring,
    utility: Mapping[str, float],
    safety: AttackRates,
    *,
    scale: Mapping[str, float] | None = None,
    recognised: float | None = None,
    unsafe: bool = False,
    more: Mapping[str, object] | None = None,
) -> Scorecard:
    """The card of these figures; measures with a scale count as shares of it, 1 at the most.

    S is the greater of what the attacks find and of what values show (`recognised`).
    """
    utility = {
        name: _replace_nan(min(value, MOST_LOSS), MOST_LOSS) for name, value in utility.items()
    }
    safety = {
        attack: {knowledge: _replace_nan(rate, 1.0) for knowledge, rate in rates.items()}
        for attack, rates in safety.items()
    }
    scales = {**(scale or {}), **scoring.scale}
    scaled = {name: _scale_loss(value, scales.get(name)) for name, value in utility.items()}
    figures: dict[str, object] = {"utility": utility}
    if any(name in scales for name in utility):
        figures["scaled"] = scaled
    figures["safety"] = safety
    if recognised is not None:
        figures["safety"] = {**safety, RECOGNITION: {FULL_KNOWLEDGE: recognised}}
    utility_total = combine_values(list(scaled.values()), scoring.combine_utility)
    means = [fmean(rates.values()) for rates in safety.values()]
    safety_total = combine_values(means, scoring.combine_safety) if means else None
    if recognised is not None:
        safety_total = max(safety_total or 0.0, recognised)
    total = combine_total(utility_total, safety_total, scoring.total)
    return Scorecard(utility_total, safety_total, total, unsafe, {**figures, **(more or {})})


def expand_names(
    requested: Sequence[str] | None, default: Sequence[str], all_names: Sequence[str] = ()
) -> list[str]:
    """The names wanted, each once; `default` (also for None) and `all` stand for several."""
    groups = {DEFAULT: default} | ({ALL: all_names} if all_names else {})
    names = [DEFAULT] if requested is None else requested
    return list(dict.fromkeys(member for name in names for member in groups.get(name, [name])))


def build_measures(
    scoring: Scoring, catalogue: MethodCatalogue, names: Sequence[str]
) -> dict[str, Method]:
    """The measures by name; a lower value must be the better one."""
    measures = {
        name: catalogue.build(name, scoring.parameters.get(name), where="scoring.utility")
        for name in names
    }
    for name, measure in measures.items():
        if measure.goal is not Goal.MINIMIZE:
            raise UsageError(
                "scoring.utility: {name}: only measures for which lower is better can be used; for "
                "this one higher is better",
                name=name,
            )
    return measures


def build_attacks(
    scoring: Scoring, catalogue: MethodCatalogue, names: Sequence[str]
) -> dict[str, Method]:
    """The attacks by name, with what they declare for rows that were shuffled, as S's are."""
    attacks = {}
    for name in names:
        declared = getattr(catalogue.get(name, where="scoring.attacks"), "when_shuffled", {})
        parameters = {**declared, **scoring.parameters.get(name, {})}
        attacks[name] = catalogue.build(name, parameters, where="scoring.attacks")
    return attacks


def _replace_nan(value: float, worst: float) -> float:
    """The value, or the worst there is: what is no number must not count as nothing."""
    return worst if math.isnan(value) else value


def _scale_loss(value: float, scale: float | None) -> float:
    if scale is None:
        return value
    if scale == 0:
        return float(value > 0)
    return min(value / scale, 1.0)

"""From measures and attacks to one card (U, S, total), with the library's and the organiser's own.

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
from typing import Any

from tokumei.contest.judge.protocol import Scorecard
from tokumei.contest.spec.formats import contest_format
from tokumei.contest.spec.model import ContestSpec, Scoring
from tokumei.core.errors import InputError, UnknownNameError, UsageError
from tokumei.core.judging import EVERYTHING
from tokumei.core.measure import Goal
from tokumei.core.registry import Registry, build_params
from tokumei.core.text import Text
from tokumei.files.containers import sha256

Classes = Mapping[str, type[Any]]
Rates = Mapping[str, Mapping[str, float]]
"""What every attack found with every knowledge."""
DEFAULT, ALL = "default", "all"
RECOGNITION = "recognition"
"""The name among the attacks of what values show."""
OF_WHAT_IS_KEPT = ("harmonic", "product")
MOST = 1e300
"""What an infinite loss (intervals in a constant column) counts as: JSON has no infinity."""


@dataclass(frozen=True)
class Named:
    """Names of one kind: those of a registry and those of this contest."""

    registry: Registry[Any]
    own: Classes

    def names(self) -> list[str]:
        """All of them, the library's first."""
        return list(dict.fromkeys([*self.registry.names(), *self.own]))

    def get(self, name: str, *, where: str = "") -> type[Any]:
        """The class behind a name."""
        if name in self.own:
            return self.own[name]
        if name not in self.names():
            raise UnknownNameError(self.registry.what, name, self.names(), where=where)
        return self.registry.get(name)

    def build(self, name: str, params: Mapping[str, Any] | None, *, where: str) -> Any:
        """An object of the class behind a name, its parameters checked."""
        kind = self.get(name, where=where)
        return build_params(kind, dict(params or {}), where=f"{where}: {name}")


@dataclass(frozen=True)
class Toolbox:
    """What a contest may name."""

    measures: Named
    attackers: Named
    rules: Named


def toolbox_of(contest: ContestSpec, folder: Path) -> Toolbox:
    """The library's measures, attacks and rules for a format, and the organiser's own."""
    module = None if contest.extra is None else _loaded(folder / contest.extra)
    form = contest_format(contest.format)
    kind, judge = form.kind, form.judge
    own = {name: _own(module, name) for name in ("MEASURES", "ATTACKS", "RULES")}
    if not judge.takes_own_methods and (own["MEASURES"] or own["ATTACKS"]):
        raise UsageError(
            f"extra: the format '{form.name}' takes own rules, but no measures and attacks",
            f"extra: 形式 '{form.name}' で独自に加えられるのは規則だけです",
        )
    return Toolbox(
        Named(kind.measures, own["MEASURES"]),
        Named(kind.attackers, own["ATTACKS"]),
        Named(kind.rules, {**judge.rules, **own["RULES"]}),
    )


def _loaded(path: Path) -> ModuleType:
    # Dataclasses look their module up by name: every content has its own.
    name = f"tokumei_contest_extra_{sha256(path)[:16]}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        reason = Text(f"{path.name}: is not a Python file", f"{path.name}: Python ではありません")
        raise InputError(reason)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as err:
        del sys.modules[name]
        told = f"{type(err).__name__}: {err}"
        raise InputError(
            f"{path.name}: cannot be run: {told}", f"{path.name}: 実行できません: {told}"
        ) from err
    return module


def _own(module: ModuleType | None, kind: str) -> Classes:
    found = getattr(module, kind, {})
    kinds = found.values() if isinstance(found, Mapping) else [None]
    if not all(isinstance(one, type) and is_dataclass(one) for one in kinds):
        raise UsageError(
            f"{kind} must map names to frozen dataclasses",
            f"{kind} は名前から frozen dataclass への対応でなければなりません",
        )
    return dict(found)


def combined(values: Sequence[float], how: str) -> float:
    """The values' max, min, mean, harmonic mean (0 if one is 0) or product."""
    if how == "mean":
        return fmean(values)
    if how == "product":
        return math.prod(values)
    if how == "harmonic":
        return len(values) / sum(1 / value for value in values) if all(values) else 0.0
    return {"max": max, "min": min}[how](values)


def total_of(utility: float | None, safety: float | None, how: str) -> float | None:
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
    if how in OF_WHAT_IS_KEPT:
        return 1.0 - combined([max(1.0 - utility, 0.0), max(1.0 - safety, 0.0)], how)
    return combined([utility, safety], how)


def scorecard(
    scoring: Scoring,
    utility: Mapping[str, float],
    safety: Rates,
    *,
    scale: Mapping[str, float] | None = None,
    recognised: float | None = None,
    unsafe: bool = False,
    more: Mapping[str, Any] | None = None,
) -> Scorecard:
    """The card of these figures; measures with a scale count as shares of it, 1 at the most.

    S is the greater of what the attacks find and of what values show (`recognised`).
    """
    utility = {name: _worst(min(value, MOST), MOST) for name, value in utility.items()}
    safety = {
        attack: {known: _worst(rate, 1.0) for known, rate in rates.items()}
        for attack, rates in safety.items()
    }
    scales = {**(scale or {}), **scoring.scale}
    scaled = {name: _scaled(value, scales.get(name)) for name, value in utility.items()}
    figures: dict[str, Any] = {"utility": utility}
    if any(name in scales for name in utility):
        figures["scaled"] = scaled
    figures["safety"] = safety
    if recognised is not None:
        figures["safety"] = {**safety, RECOGNITION: {EVERYTHING: recognised}}
    worth = combined(list(scaled.values()), scoring.combine_utility)
    means = [fmean(rates.values()) for rates in safety.values()]
    risk = combined(means, scoring.combine_safety) if means else None
    if recognised is not None:
        risk = max(risk or 0.0, recognised)
    total = total_of(worth, risk, scoring.total)
    return Scorecard(worth, risk, total, unsafe, {**figures, **(more or {})})


def chosen(
    wanted: Sequence[str] | None, default: Sequence[str], every: Sequence[str] = ()
) -> list[str]:
    """The names wanted, each once; `default` (also for None) and `all` stand for several."""
    groups = {DEFAULT: default} | ({ALL: every} if every else {})
    names = [DEFAULT] if wanted is None else wanted
    return list(dict.fromkeys(one for name in names for one in groups.get(name, [name])))


def built_measures(scoring: Scoring, named: Named, names: Sequence[str]) -> dict[str, Any]:
    """The measures by name; a lower value must be the better one."""
    found = {
        name: named.build(name, scoring.parameters.get(name), where="scoring.utility")
        for name in names
    }
    for name, measure in found.items():
        if measure.goal is not Goal.MINIMIZE:
            raise UsageError(
                f"scoring.utility: {name}: only measures for which lower is better can be "
                "used; for this one higher is better",
                f"scoring.utility: {name}: 小さいほど良い指標だけが使えます "
                "(この指標は大きいほど良いものです)",
            )
    return found


def built_attacks(scoring: Scoring, named: Named, names: Sequence[str]) -> dict[str, Any]:
    """The attacks by name, with what they declare for rows that were shuffled, as S's are."""
    found = {}
    for name in names:
        declared = getattr(named.get(name, where="scoring.attacks"), "when_shuffled", {})
        given = {**declared, **scoring.parameters.get(name, {})}
        found[name] = named.build(name, given, where="scoring.attacks")
    return found


def _worst(value: float, worst: float) -> float:
    """The value, or the worst there is: what is no number must not count as nothing."""
    return worst if math.isnan(value) else value


def _scaled(value: float, scale: float | None) -> float:
    if scale is None:
        return value
    if scale == 0:
        return float(value > 0)
    return min(value / scale, 1.0)

"""How to read the measures and attacks: what they tell, their formula and their limits."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tokumei.core.measure import ATTACK_LIMITS, Goal, Limits
from tokumei.core.text import Text
from tokumei.core.words import known, title_of
from tokumei.tables.registry import attackers, measures


@dataclass(frozen=True)
class Entry:
    """A name, what it tells, how it is computed, its limits and which way is better."""

    name: str
    title: Text
    sentence: Text
    formula: str
    better: Text
    limits: Limits | None
    share: bool = True
    """Whether its limits are shares, written as percentages."""


BETTER = {
    Goal.MINIMIZE: Text("smaller is better", "小さいほど良い"),
    Goal.MAXIMIZE: Text("larger is better", "大きいほど良い"),
}
NONE = Text("", "")


def glossary(scores: Iterable[str], attacks: Iterable[str]) -> list[tuple[Text, list[Entry]]]:
    """The measures and attacks used in a report, in groups with a heading."""
    names = list(scores)
    groups = [
        (Text("Safety by structure", "構造から見た安全性"), [n for n in names if is_safety(n)]),
        (Text("Utility", "有用性"), [n for n in names if not is_safety(n)]),
    ]
    entries = [(heading, [_measure(name) for name in group]) for heading, group in groups]
    found = [_attack(name) for name in attacks]
    entries.append((Text("Attacks (a lower rate is safer)", "攻撃（成功率が低いほど安全）"), found))
    return [(heading, group) for heading, group in entries if group]


def is_safety(name: str) -> bool:
    """Whether a measure tells of safety, not of utility."""
    return bool(getattr(known(measures, name), "safety", False))


def _attack(name: str) -> Entry:
    kind = known(attackers, name)
    sentence, formula = getattr(kind, "sentence", NONE), getattr(kind, "formula", "")
    title = title_of(attackers, name)
    return Entry(name, title, sentence, formula, BETTER[Goal.MINIMIZE], ATTACK_LIMITS)


def _measure(name: str) -> Entry:
    kind = known(measures, name)
    title = title_of(measures, name)
    if kind is None:
        return Entry(name, title, NONE, "", NONE, None)
    limits = getattr(kind, "limits", None)  # another package's measure may have none
    share = getattr(kind, "as_percent", False) or getattr(kind, "relative", None) is not None
    return Entry(name, title, kind.sentence, kind.formula, BETTER[kind.goal], limits, share=share)

"""Recommendations from releases of real people: mined on one half, tried on the other.

    found = rule_trial(table, "occupation", "h_{column}.csv", k=5, draws=5, seed=1)
    found.lines[0].lift                 # of recommendations from the original
    found.lost["tfidf"]                 # per rule: lift lost against the original

Half of the people teach the rules (`rules.mining`). The other half is released by several methods
at the same k; a rule recommends its item to those of whom the release shows for certain that it
targets them. Precision is the share of recommendations that are right, lift how much more often
than if everybody was recommended the item, recall the share of people who got a right one.

Controls: `random rules` have the items of the mined ones dealt anew (lift about 1), and the release
`tfidf, random rules` is made for them but used with the real ones.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from tokumei.core.cells import canonical
from tokumei.core.errors import InputError
from tokumei.core.progress import track
from tokumei.core.randomness import Randomness
from tokumei.core.text import Text
from tokumei.tables.anonymizers.local_recoding import LocalRecodingMethod
from tokumei.tables.anonymizers.mondrian_hierarchical import HierarchicalMondrian
from tokumei.tables.data.table import Table
from tokumei.tables.hierarchies.choose import choose_hierarchies
from tokumei.tables.hierarchies.hierarchy import Hierarchy
from tokumei.tables.measures.decidability import decidability, surely_targeted
from tokumei.tables.rules.boxes import LeafRule, leaf_rules
from tokumei.tables.rules.mining import mine, values_as_items
from tokumei.tables.rules.rules import Rule
from tokumei.tables.rules.rules_file import yaml_rules

ORIGINAL, RANDOM, BLIND = "original", "random rules", "tfidf, random rules"
WAYS = (ORIGINAL, "tfidf", "prec", "local", BLIND, RANDOM)


@dataclass(frozen=True)
class TrialLine:
    """Means over the draws with their standard errors (nan for one draw)."""

    way: str
    recommended: float
    precision: float
    recall: float
    lift: float
    lift_error: float


@dataclass(frozen=True)
class LostLift:
    """Of one rule: its lift on the original, what a release loses of it, and who is decided.

    `low` and `high` are the middle 95 % of the draws.
    """

    rule: str
    lift: float
    lost: float
    low: float
    high: float
    decided: float


@dataclass(frozen=True)
class RuleTrial:
    """A line per way; per release what every rule loses."""

    rules: float
    lines: tuple[TrialLine, ...]
    lost: Mapping[str, Sequence[LostLift]]

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "rules": self.rules,
            "lines": [asdict(line) for line in self.lines],
            "lost": {way: [asdict(one) for one in found] for way, found in self.lost.items()},
        }


@dataclass(frozen=True, eq=False)
class _Used:
    """One way in one draw: figures in all, and lift and decided share per rule."""

    figures: np.ndarray
    lifts: dict[str, float]
    decided: dict[str, float]


def rule_trial(
    table: Table,
    target: str,
    hierarchies: str | Mapping[str, str],
    *,
    k: int = 5,
    draws: int = 5,
    seed: int | None = None,
    people: int = 50,
    attributes: int = 2,
) -> RuleTrial:
    """Mine, release and recommend, so many times with other halves."""
    trees = choose_hierarchies(hierarchies, table.frame, table.schema.qi)
    rng = Randomness(seed).child("halves")
    used: dict[str, list[_Used]] = {way: [] for way in WAYS}
    counts = []
    for draw in track(range(draws), Text("draws", "試行")):
        chance = rng.child(draw)
        order = chance.permutation(table.rows)
        taught, tried = order[: len(order) // 2], order[len(order) // 2 :]
        teachers, others = table.take(np.sort(taught)), table.take(np.sort(tried))
        rules = mined_rules(teachers, target, trees, people=people, attributes=attributes)
        counts.append(len(rules))
        dealt, truth = _dealt(rules, chance.child("items")), canonical(others.frame[target])
        for way in WAYS:
            wanted = leaf_rules(dealt if way == RANDOM else rules, trees)
            frame = _released(way, others, hierarchies, dealt if way == BLIND else rules, k)
            used[way].append(_used(frame, trees, wanted, truth))
    lines = tuple(_line(way, found) for way, found in used.items())
    lost = {way: _lost(used[ORIGINAL], used[way]) for way in ("tfidf", "prec", "local", BLIND)}
    return RuleTrial(float(np.mean(counts)), lines, lost)


def mined_rules(
    table: Table, target: str, trees: Mapping[str, Hierarchy], **how: Any
) -> list[Rule]:
    """The rules that the values of a column teach."""
    bought, items = values_as_items(table.frame[target])
    codes = np.column_stack([tree.leaf_codes(table.frame[name]) for name, tree in trees.items()])
    found = mine(codes, trees, bought, items, **how).rules
    if not found:
        raise InputError(
            f"no rule for '{target}' was found: no box has it more often than chance explains",
            f"'{target}' の推薦ルールが見つかりません (偶然で説明できない差がありません)",
        )
    return found


def _dealt(rules: Sequence[Rule], chance: Randomness) -> list[Rule]:
    """The same boxes with the items of others: each box gets one at random."""
    boxes = [(rule.name, box) for rule in rules for box in rule.boxes]
    order = chance.permutation(len(boxes))
    found: dict[str, Rule] = {}
    for place, (_, box) in zip(order, boxes, strict=True):
        name = boxes[int(place)][0]
        old = found.get(name, Rule(name, ()))
        found[name] = replace(old, boxes=(*old.boxes, box))
    return list(found.values())


def _released(
    way: str, table: Table, given: str | Mapping[str, str], rules: Sequence[Rule], k: int
) -> pl.DataFrame:
    if way in (ORIGINAL, RANDOM):
        return table.frame
    if way == "local":
        return LocalRecodingMethod(k=k, hierarchies=given).recode(table, []).frame
    if way == "prec":
        return HierarchicalMondrian(k=k, hierarchies=given).recode(table, []).frame
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "rules.yaml")
        path.write_text(yaml_rules(rules), encoding="utf-8")
        method = HierarchicalMondrian(k=k, hierarchies=given, choice="tfidf", rules=str(path))
        return method.recode(table, []).frame


def _used(
    frame: pl.DataFrame, trees: Mapping[str, Hierarchy], rules: Sequence[LeafRule], truth: pl.Series
) -> _Used:
    asked = surely_targeted(frame, trees, rules)
    has = np.column_stack(
        [(truth == rule.name).fill_null(value=False).to_numpy() for rule in rules]
    )
    hits, given, base = (asked & has).sum(axis=0), asked.sum(axis=0), has.mean(axis=0)
    expected = float(given @ base)
    all_given = max(int(given.sum()), 1)
    figures = [
        given.sum() / len(frame),
        hits.sum() / all_given,
        (asked & has).any(axis=1).mean(),
        hits.sum() / expected if expected else 1.0,
    ]
    lifts = {
        rule.name: float(hits[r] / (given[r] * base[r])) if given[r] and base[r] else 1.0
        for r, rule in enumerate(rules)
    }
    decided = {name: one.share for name, one in decidability(frame, trees, rules).items()}
    return _Used(np.array(figures), lifts, decided)


def _line(way: str, found: Sequence[_Used]) -> TrialLine:
    figures = np.array([one.figures for one in found])
    error = figures[:, 3].std(ddof=1) / np.sqrt(len(found)) if len(found) > 1 else np.nan
    recommended, precision, recall, lift = (float(one) for one in figures.mean(axis=0))
    return TrialLine(way, recommended, precision, recall, lift, float(error))


def _lost(original: Sequence[_Used], released: Sequence[_Used]) -> list[LostLift]:
    """Recommending to nobody is worth what recommending to everybody is: a lift of 1."""
    names = dict.fromkeys(name for one in original for name in one.lifts)
    found = []
    for name in names:
        pairs = [(a, b) for a, b in zip(original, released, strict=True) if name in a.lifts]
        lost = np.array([a.lifts[name] - b.lifts[name] for a, b in pairs])
        low, high = np.quantile(lost, [0.025, 0.975])
        lift = np.mean([a.lifts[name] for a, _ in pairs])
        decided = np.mean([b.decided[name] for _, b in pairs])
        found.append(
            LostLift(name, float(lift), float(lost.mean()), float(low), float(high), float(decided))
        )
    return found

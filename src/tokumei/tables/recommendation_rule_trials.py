"""Tests recommendations from releases: mined on one half of the people, tried on the other.

    trial = rule_trial(table, "occupation", "h_{column}.csv", k=5, draws=5, seed=1)
    trial.lines[0].lift                 # of recommendations from the original
    trial.lost["tfidf"]                 # per rule: lift lost against the original

Half of the people teach the rules (`rules.mining`). The other half is released by several methods
at the same k; a rule recommends its item to those of whom the release shows for certain that it
targets them. Precision is the share of recommendations that are right, lift how much more often
than if everybody was recommended the item, recall the share of people who got a right one.

Controls: `random-rules` have the items of the mined ones dealt anew (lift about 1), and the release
`tfidf-random-rules` is made for them but used with the real ones.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from tokumei.core.errors import InputError
from tokumei.core.generalized_cells import canonicalize_column
from tokumei.core.json_types import JsonObject
from tokumei.core.messages import Message
from tokumei.core.progress import track_progress
from tokumei.core.randomness import Randomness
from tokumei.tables.anonymizers.local_recoding import LocalRecodingMethod
from tokumei.tables.anonymizers.mondrian_hierarchical import HierarchicalMondrian
from tokumei.tables.data.table import Table
from tokumei.tables.hierarchies.choose import choose_hierarchies
from tokumei.tables.hierarchies.hierarchy import Hierarchy
from tokumei.tables.measures.decidability import decidability, surely_targeted
from tokumei.tables.recommendation_rules.leaf_boxes import LeafRule, leaf_rules
from tokumei.tables.recommendation_rules.mining import mine, values_as_items
from tokumei.tables.recommendation_rules.rule_model import RecommendationRule
from tokumei.tables.recommendation_rules.rules_file import to_yaml

ORIGINAL, RANDOM, BLIND = "original", "random-rules", "tfidf-random-rules"
VARIANTS = (ORIGINAL, "tfidf", "prec", "local", BLIND, RANDOM)


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

    def as_json(self) -> JsonObject:
        """Plain data."""
        return {
            "rules": self.rules,
            "lines": [asdict(line) for line in self.lines],
            "lost": {
                variant: [asdict(loss) for loss in losses] for variant, losses in self.lost.items()
            },
        }


@dataclass(frozen=True, eq=False)
class _VariantOutcome:
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
    outcomes: dict[str, list[_VariantOutcome]] = {variant: [] for variant in VARIANTS}
    counts = []
    for draw in track_progress(range(draws), Message("draws")):
        draw_rng = rng.child(draw)
        order = draw_rng.permutation(table.rows)
        mining_rows, test_rows = order[: len(order) // 2], order[len(order) // 2 :]
        mining_half, test_half = table.take(np.sort(mining_rows)), table.take(np.sort(test_rows))
        rules = mine_column_rules(mining_half, target, trees, people=people, attributes=attributes)
        counts.append(len(rules))
        shuffled_rules, truth = (
            _shuffle_rule_items(rules, draw_rng.child("items")),
            canonicalize_column(test_half.frame[target]),
        )
        for variant in VARIANTS:
            variant_rules = leaf_rules(shuffled_rules if variant == RANDOM else rules, trees)
            frame = _release_variant(
                variant, test_half, hierarchies, shuffled_rules if variant == BLIND else rules, k
            )
            outcomes[variant].append(_evaluate_variant(frame, trees, variant_rules, truth))
    lines = tuple(
        _summarize_variant(variant, variant_outcomes)
        for variant, variant_outcomes in outcomes.items()
    )
    lost = {
        variant: _lift_losses(outcomes[ORIGINAL], outcomes[variant])
        for variant in ("tfidf", "prec", "local", BLIND)
    }
    return RuleTrial(float(np.mean(counts)), lines, lost)


def mine_column_rules(
    table: Table, target: str, trees: Mapping[str, Hierarchy], **mining_options: Any
) -> list[RecommendationRule]:
    """The rules that the values of a column teach."""
    bought, items = values_as_items(table.frame[target])
    codes = np.column_stack([tree.leaf_codes(table.frame[name]) for name, tree in trees.items()])
    rules = mine(codes, trees, bought, items, **mining_options).rules
    if not rules:
        raise InputError(
            "no rule for '{target}' was found: no box has it more often than chance explains",
            target=target,
        )
    return rules


def _shuffle_rule_items(
    rules: Sequence[RecommendationRule], rng: Randomness
) -> list[RecommendationRule]:
    """The same boxes with the items of others: each box gets one at random."""
    boxes = [(rule.name, box) for rule in rules for box in rule.boxes]
    order = rng.permutation(len(boxes))
    shuffled: dict[str, RecommendationRule] = {}
    for position, (_, box) in zip(order, boxes, strict=True):
        name = boxes[int(position)][0]
        old = shuffled.get(name, RecommendationRule(name, ()))
        shuffled[name] = replace(old, boxes=(*old.boxes, box))
    return list(shuffled.values())


def _release_variant(
    variant: str,
    table: Table,
    hierarchies: str | Mapping[str, str],
    rules: Sequence[RecommendationRule],
    k: int,
) -> pl.DataFrame:
    if variant in (ORIGINAL, RANDOM):
        return table.frame
    if variant == "local":
        return LocalRecodingMethod(k=k, hierarchies=hierarchies).recode(table, []).frame
    if variant == "prec":
        return HierarchicalMondrian(k=k, hierarchies=hierarchies).recode(table, []).frame
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "rules.yaml")
        path.write_text(to_yaml(rules), encoding="utf-8")
        method = HierarchicalMondrian(k=k, hierarchies=hierarchies, choice="tfidf", rules=str(path))
        return method.recode(table, []).frame


def _evaluate_variant(
    frame: pl.DataFrame, trees: Mapping[str, Hierarchy], rules: Sequence[LeafRule], truth: pl.Series
) -> _VariantOutcome:
    targeted = surely_targeted(frame, trees, rules)
    has_item = np.column_stack(
        [(truth == rule.name).fill_null(value=False).to_numpy() for rule in rules]
    )
    hits, recommended, base = (
        (targeted & has_item).sum(axis=0),
        targeted.sum(axis=0),
        has_item.mean(axis=0),
    )
    expected = float(recommended @ base)
    all_recommended = max(int(recommended.sum()), 1)
    figures = [
        recommended.sum() / len(frame),
        hits.sum() / all_recommended,
        (targeted & has_item).any(axis=1).mean(),
        hits.sum() / expected if expected else 1.0,
    ]
    lifts = {
        rule.name: float(hits[r] / (recommended[r] * base[r]))
        if recommended[r] and base[r]
        else 1.0
        for r, rule in enumerate(rules)
    }
    decided = {name: decision.share for name, decision in decidability(frame, trees, rules).items()}
    return _VariantOutcome(np.array(figures), lifts, decided)


def _summarize_variant(variant: str, outcomes: Sequence[_VariantOutcome]) -> TrialLine:
    figures = np.array([outcome.figures for outcome in outcomes])
    error = figures[:, 3].std(ddof=1) / np.sqrt(len(outcomes)) if len(outcomes) > 1 else np.nan
    recommended, precision, recall, lift = (float(outcome) for outcome in figures.mean(axis=0))
    return TrialLine(variant, recommended, precision, recall, lift, float(error))


def _lift_losses(
    original: Sequence[_VariantOutcome], released: Sequence[_VariantOutcome]
) -> list[LostLift]:
    """Recommending to nobody is worth what recommending to everybody is: a lift of 1."""
    names = dict.fromkeys(name for outcome in original for name in outcome.lifts)
    losses = []
    for name in names:
        pairs = [(a, b) for a, b in zip(original, released, strict=True) if name in a.lifts]
        lost = np.array([a.lifts[name] - b.lifts[name] for a, b in pairs])
        low, high = np.quantile(lost, [0.025, 0.975])
        lift = np.mean([a.lifts[name] for a, _ in pairs])
        decided = np.mean([b.decided[name] for _, b in pairs])
        losses.append(
            LostLift(name, float(lift), float(lost.mean()), float(low), float(high), float(decided))
        )
    return losses

"""Texts of a history's page: formulas, uses and cautions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from tokumei.core.described import find_registered
from tokumei.core.measure import Level
from tokumei.core.messages import Message
from tokumei.histories.measures.losses import LOSS_PARTS, HistoryRowsKept, Loss
from tokumei.histories.measures.protocol import HistoryMeasure
from tokumei.histories.registry import measures
from tokumei.histories.report.chart_data import SweepRun
from tokumei.histories.study import HistoryStudy
from tokumei.pages.page_parts import Caution

CAUTIONS = (
    Caution(
        Message("What a whole group has in common"),
        Message(
            "Whoever knows that somebody is in the data learns what holds for all k of the group: "
            "everybody in it bought something from each set, in each span of days."
        ),
    ),
    Caution(
        Message("Sets with one item"),
        Message(
            "Where all k bought the same item, it is shown as it is. Finding out who is who is "
            "limited to 1/k; finding out what was bought is not."
        ),
    ),
    Caution(
        Message("Rows left out, totals blurred"),
        Message(
            "The more active customers of a group lose rows, and totals computed from the middle "
            "of wide intervals can be far too high. Look at the monthly curve before using such "
            "sums."
        ),
    ),
    Caution(
        Message("Later releases of the same people"),
        Message(
            "A second release with other groups lets a reader intersect the two. Keep the groups, "
            "or count both releases as one."
        ),
    ),
    Caution(
        Message("The sum of loss and risk"),
        Message(
            "It adds two different units, so its smallest value is a convention. The front shows "
            "every choice that no other one beats; how much risk is acceptable is for you to "
            "decide."
        ),
    ),
    Caution(
        Message("Attacks not tried here"),
        Message(
            "1/k holds against any attack on who is who, known or not. The attacks on this page "
            "check the file; they are not the proof."
        ),
    ),
)


@dataclass(frozen=True)
class UseRating:
    """A question a user of the data may ask, and how well the release answers it."""

    level: Level
    title: Message
    words: Message


def rate_uses(study: HistoryStudy) -> list[UseRating]:
    """Every measure with limits that is no part of the loss, in the order of the registry."""
    uses = []
    for name, score in study.scores.items():
        measure = find_registered(measures, name)
        if measure is None or name in LOSS_PARTS or not math.isfinite(score.value):
            continue
        level = measure.level(score)
        if level is not None:
            uses.append(UseRating(level, measure.title, measure.reading(score)))
    return uses


@dataclass(frozen=True)
class HistoryGlossaryEntry:
    """A figure, what it means and its formula."""

    name: Message
    meaning: Message
    formula: str


_CELL_ENTRIES = (
    HistoryGlossaryEntry(Message("… deleted or *"), Message("Nothing is left of the cell."), "1"),
    HistoryGlossaryEntry(
        Message("… item set"), Message("A plain item costs nothing."), "1 − 1/|set|"
    ),
    HistoryGlossaryEntry(
        Message("… interval [a;b]"),
        Message("For the true x, in days, cents or pieces; sd is that of the original column."),
        "((a−x)² + (b−x)² + (b−a)) / (2·sd·(b−a+1))",
    ),
)
_CHOICE_ENTRIES = (
    HistoryGlossaryEntry(
        Message("Risk"),
        Message("The chance that somebody who knows everything names the right one of k people."),
        "1/k",
    ),
    HistoryGlossaryEntry(Message("Sum"), Message("Loss plus risk: two units added."), "loss + 1/k"),
    HistoryGlossaryEntry(
        Message("Front"),
        Message("Releases for which no other has both a smaller loss and a smaller risk."),
        "∄ y: (loss, risk)(y) ≤ (loss, risk)(x), ≠",
    ),
)
_HONEST_LOSS_ENTRY = HistoryGlossaryEntry(
    Message("Honest loss"),
    Message("With categories: a set of categories that hold c items in all."),
    "1 − 1/c",
)
_ATTACK_ENTRIES = (
    HistoryGlossaryEntry(
        Message("Right guesses"),
        Message("Of the people an attack named, the share it got right, with its Wilson interval."),
        "hits / tried",
    ),
    HistoryGlossaryEntry(
        Message("Blind guess"), Message("Naming any customer at random."), "1 / customers"
    ),
    HistoryGlossaryEntry(
        Message.verbatim("R(n)"),
        Message(
            "Hits among n answers at which a release fails the contest's test (p = 1/3, level 1 %, "
            "20 attackers)."
        ),
        "min r: Σ_{i=r..n} C(n,i)·pⁱ < 0.01/20",
    ),
)


def history_glossary(runs: Sequence[SweepRun]) -> list[tuple[Message, list[HistoryGlossaryEntry]]]:
    """Groups of figures that a page shows, with a heading each."""
    loss = [_measure_entry(Loss), *_CELL_ENTRIES]
    if any(run.categorized for run in runs):
        loss.append(_HONEST_LOSS_ENTRY)
    groups = [
        (Message("Loss"), loss),
        (Message("Choice of k"), [*_CHOICE_ENTRIES, _measure_entry(HistoryRowsKept)]),
    ]
    studies = [run.study for run in runs if run.study]
    if any(study.attacks for study in studies):
        groups.append((Message("Attacks"), list(_ATTACK_ENTRIES)))
    used = dict.fromkeys(name for study in studies for name in study.scores)
    used_measures = [
        measure
        for name in used
        if name not in LOSS_PARTS and (measure := find_registered(measures, name))
    ]
    return (
        [*groups, (Message("Use"), [_measure_entry(measure) for measure in used_measures])]
        if used_measures
        else groups
    )


def _measure_entry(measure: type[HistoryMeasure]) -> HistoryGlossaryEntry:
    return HistoryGlossaryEntry(measure.title, measure.sentence, measure.formula)

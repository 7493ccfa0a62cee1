"""Heads the report with the verdicts of the assessments, and explains its measures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tokumei.core.described import find_registered, find_title
from tokumei.core.measure import Goal, Limits
from tokumei.core.messages import Message
from tokumei.pages.verdict_view import AssessedRelease, VerdictView
from tokumei.tables.evaluation import Evaluation
from tokumei.tables.registry import attackers, measures


@dataclass(frozen=True)
class MeasureGlossaryEntry:
    """A name, what it tells, how it is computed, its limits and which way is better."""

    name: str
    title: Message
    sentence: Message
    formula: str
    better: Message
    limits: Limits | None
    share: bool = True
    """Whether its limits are shares, written as percentages."""


DIRECTION_LABELS = {
    Goal.MINIMIZE: Message("smaller is better"),
    Goal.MAXIMIZE: Message("larger is better"),
}
EMPTY_TEXT = Message.verbatim("")


def build_glossary(
    scores: Iterable[str], attacks: Iterable[str]
) -> list[tuple[Message, list[MeasureGlossaryEntry]]]:
    """The measures and attacks used in a report, in groups with a heading."""
    names = list(scores)
    groups = [
        (Message("Structure of the classes"), [n for n in names if is_safety(n)]),
        (Message("Utility"), [n for n in names if not is_safety(n)]),
    ]
    entries = [(heading, [_measure_entry(name) for name in group]) for heading, group in groups]
    attack_entries = [_attack_entry(name) for name in attacks]
    entries.append((Message("Attacks"), attack_entries))
    return [(heading, group) for heading, group in entries if group]


def is_safety(name: str) -> bool:
    """Whether a measure tells of safety, not of utility."""
    return bool(getattr(find_registered(measures, name), "safety", False))


def _attack_entry(name: str) -> MeasureGlossaryEntry:
    kind = find_registered(attackers, name)
    sentence, formula = getattr(kind, "sentence", EMPTY_TEXT), getattr(kind, "formula", "")
    title = find_title(attackers, name)
    return MeasureGlossaryEntry(
        name, title, sentence, formula, DIRECTION_LABELS[Goal.MINIMIZE], None
    )


def _measure_entry(name: str) -> MeasureGlossaryEntry:
    kind = find_registered(measures, name)
    title = find_title(measures, name)
    if kind is None:
        return MeasureGlossaryEntry(name, title, EMPTY_TEXT, "", EMPTY_TEXT, None)
    # Another package's measure may have none; how much may be found, the scenario says.
    limits = None if is_safety(name) else getattr(kind, "limits", None)
    share = getattr(kind, "as_percent", False) or getattr(kind, "relative", None) is not None
    return MeasureGlossaryEntry(
        name, title, kind.sentence, kind.formula, DIRECTION_LABELS[kind.goal], limits, share=share
    )


def describe_verdicts(views: Sequence[VerdictView], releases: int) -> Message:
    """What the page is about: the verdict on one release, or how many of several fit."""
    if not views:
        return Message(
            "Measures and attacks of {count} release; it was not assessed",
            plural="Measures and attacks of {count} releases; they were not assessed",
            count=releases,
        )
    if len(views) == 1:
        return views[0].heading
    return Message(
        "{number} of {total} releases fit the scenario for {recipient}",
        number=sum(view.word == "fits" for view in views),
        total=len(views),
        recipient=views[0].recipient,
    )


def choose_release(
    evaluations: Sequence[Evaluation], assessed: Mapping[str, AssessedRelease]
) -> int:
    """The index of the release to look at first: one that fits, and of these what keeps most."""
    views = [assessed.get(evaluation.label) for evaluation in evaluations]
    fitting = [i for i, item in enumerate(views) if item is not None and item.view.word == "fits"]
    if not fitting:
        return 0
    return max(fitting, key=lambda i: (_kept(views[i]), -i))


def _kept(release: AssessedRelease | None) -> float:
    return 0.0 if release is None or release.view.kept is None else release.view.kept

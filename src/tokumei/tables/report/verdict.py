"""Summarizes the report in one sentence and four figures, and explains its measures."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tokumei.core.described import find_registered, find_title
from tokumei.core.formatting import format_percent
from tokumei.core.measure import ATTACK_LIMITS, Goal, Level, Limits
from tokumei.core.messages import Message, join_sentences
from tokumei.pages.page_parts import KeyFigure
from tokumei.tables.registry import attackers, measures
from tokumei.tables.report.scorecard import MAIN_LOSS, ScoreRow


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
        (Message("Safety by structure"), [n for n in names if is_safety(n)]),
        (Message("Utility"), [n for n in names if not is_safety(n)]),
    ]
    entries = [(heading, [_measure_entry(name) for name in group]) for heading, group in groups]
    attack_entries = [_attack_entry(name) for name in attacks]
    entries.append((Message("Attacks (a lower rate is safer)"), attack_entries))
    return [(heading, group) for heading, group in entries if group]


def is_safety(name: str) -> bool:
    """Whether a measure tells of safety, not of utility."""
    return bool(getattr(find_registered(measures, name), "safety", False))


def _attack_entry(name: str) -> MeasureGlossaryEntry:
    kind = find_registered(attackers, name)
    sentence, formula = getattr(kind, "sentence", EMPTY_TEXT), getattr(kind, "formula", "")
    title = find_title(attackers, name)
    return MeasureGlossaryEntry(
        name, title, sentence, formula, DIRECTION_LABELS[Goal.MINIMIZE], ATTACK_LIMITS
    )


def _measure_entry(name: str) -> MeasureGlossaryEntry:
    kind = find_registered(measures, name)
    title = find_title(measures, name)
    if kind is None:
        return MeasureGlossaryEntry(name, title, EMPTY_TEXT, "", EMPTY_TEXT, None)
    limits = getattr(kind, "limits", None)  # another package's measure may have none
    share = getattr(kind, "as_percent", False) or getattr(kind, "relative", None) is not None
    return MeasureGlossaryEntry(
        name, title, kind.sentence, kind.formula, DIRECTION_LABELS[kind.goal], limits, share=share
    )


@dataclass(frozen=True)
class Verdict:
    """Which release stands best, and how well."""

    number: int
    level: Level
    headline: Message
    detail: Message
    figures: tuple[KeyFigure, ...]


def release_verdict(rows: Sequence[ScoreRow]) -> Verdict:
    """Judge the safest release that keeps its claims and does not rest on a permuted link."""
    number = best_release_index(rows)
    row = rows[number]
    level = Level.BAD if row.faults or row.relabelled else row.level
    return Verdict(
        number,
        level,
        _verdict_headline(row, level),
        _verdict_detail(row, len(rows)),
        tuple(_key_figures(row)),
    )


def best_release_index(rows: Sequence[ScoreRow]) -> int:
    """The index of the release to look at first: sound, then safe, then little changed."""

    def cost(i: int) -> tuple[bool, bool, float, float]:
        row = rows[i]
        return bool(row.faults), row.relabelled, row.strongest.rate, row.value(MAIN_LOSS) or 0.0

    return min(range(len(rows)), key=cost)


def _verdict_headline(row: ScoreRow, level: Level) -> Message:
    name = row.label
    if row.faults:
        return Message("“{name}” does not meet its own claims.", name=name)
    if row.relabelled:
        return Message("“{name}” only looks safe: its values are those of the original.", name=name)
    rate, counted = row.strongest.rate, row.counted
    return {
        Level.GOOD: Message(
            "No attack we tried finds more than {rate:percent} of the {rows_or_people} of "
            "“{name}”.",
            rate=rate,
            rows_or_people=counted,
            name=name,
        ),
        Level.MID: Message(
            "“{name}” still lets an attacker find {rate:percent} of the {rows_or_people}.",
            name=name,
            rate=rate,
            rows_or_people=counted,
        ),
        Level.BAD: Message("“{name}” is not safe to hand out as it is.", name=name),
    }[level]


def _verdict_detail(row: ScoreRow, count: int) -> Message:
    found = Message(
        "The only attack tried finds {rate:percent} of its {rows_or_people}; blind guessing would "
        "find {baseline:percent}.",
        rate=row.strongest.rate,
        rows_or_people=row.counted,
        baseline=row.strongest.baseline,
    )
    if len(row.attacks) > 1:
        found = Message(
            "The strongest of {attacks} attacks finds {rate:percent} of its {rows_or_people}; "
            "blind guessing would find {baseline:percent}.",
            attacks=len(row.attacks),
            rate=row.strongest.rate,
            rows_or_people=row.counted,
            baseline=row.strongest.baseline,
        )
    if count == 1:
        return found
    return join_sentences(
        [Message("It is the safest of {releases} releases.", releases=count), found]
    )


def _key_figures(row: ScoreRow) -> list[KeyFigure]:
    counted = row.counted
    strongest = Message("of {rows_or_people} found by the strongest attack", rows_or_people=counted)
    figures = [KeyFigure(format_percent(row.strongest.rate), row.level, strongest)]
    for name in sorted(row.figures, key=lambda name: not is_safety(name)):
        caption, figure = (
            getattr(find_registered(measures, name), "caption", None),
            row.figures[name],
        )
        if caption:
            figures.append(KeyFigure(figure.shown, figure.level, caption))
    return figures

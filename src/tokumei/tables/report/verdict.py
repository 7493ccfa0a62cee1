"""Summarizes the report in one sentence and four figures, and explains its measures."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tokumei.core.described import find_registered, find_title
from tokumei.core.formatting import format_percent
from tokumei.core.measure import ATTACK_LIMITS, Goal, Level, Limits
from tokumei.core.messages import Message
from tokumei.report.page_parts import KeyFigure
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
    Goal.MINIMIZE: Message("smaller is better", "小さいほど良い"),
    Goal.MAXIMIZE: Message("larger is better", "大きいほど良い"),
}
EMPTY_TEXT = Message("", "")


def build_glossary(
    scores: Iterable[str], attacks: Iterable[str]
) -> list[tuple[Message, list[MeasureGlossaryEntry]]]:
    """The measures and attacks used in a report, in groups with a heading."""
    names = list(scores)
    groups = [
        (Message("Safety by structure", "構造から見た安全性"), [n for n in names if is_safety(n)]),
        (Message("Utility", "有用性"), [n for n in names if not is_safety(n)]),
    ]
    entries = [(heading, [_measure_entry(name) for name in group]) for heading, group in groups]
    attack_entries = [_attack_entry(name) for name in attacks]
    entries.append(
        (Message("Attacks (a lower rate is safer)", "攻撃（成功率が低いほど安全）"), attack_entries)
    )
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
        return Message(
            f"“{name}” does not meet its own claims.", f"「{name}」は自らの主張を満たしていません。"
        )
    if row.relabelled:
        return Message(
            f"“{name}” only looks safe: its values are those of the original.",
            f"「{name}」は安全に見えるだけで、値は変わっていません。",
        )
    rate_text, counted = format_percent(row.strongest.rate), row.counted
    return {
        Level.GOOD: Message(
            f"No attack we tried finds more than {rate_text} of the {counted.en} of “{name}”.",
            f"「{name}」では、試したどの攻撃でも、特定された{counted.ja}は {rate_text} 以下です。",
        ),
        Level.MID: Message(
            f"“{name}” still lets an attacker find {rate_text} of the {counted.en}.",
            f"「{name}」では、まだ {rate_text} の{counted.ja}が特定されます。",
        ),
        Level.BAD: Message(
            f"“{name}” is not safe to hand out as it is.",
            f"「{name}」をこのまま提供するのは危険です。",
        ),
    }[level]


def _verdict_detail(row: ScoreRow, count: int) -> Message:
    rate_text, attacks = format_percent(row.strongest.rate), len(row.attacks)
    first = EMPTY_TEXT
    if count > 1:
        first = Message(
            f"It is the safest of {count} releases. ", f"比較した {count} 件の中では最も安全です。"
        )
    attack_text = Message(
        f"The strongest of {attacks} attacks", f"{attacks} 種の攻撃のうち最も強いもの"
    )
    if attacks == 1:
        attack_text = Message("The only attack tried", "試した一つの攻撃")
    return Message(
        f"{first.en}{attack_text.en} finds {rate_text} of its {row.counted.en}; "
        f"blind guessing would find {format_percent(row.strongest.baseline)}.",
        f"{first.ja}{attack_text.ja}で、{row.counted.ja}の {rate_text} が特定されます"
        f"（当てずっぽうなら {format_percent(row.strongest.baseline)}）。",
    )


def _key_figures(row: ScoreRow) -> list[KeyFigure]:
    counted = row.counted
    strongest = Message(
        f"of {counted.en} found by the strongest attack", f"最も強い攻撃で特定される{counted.ja}"
    )
    figures = [KeyFigure(format_percent(row.strongest.rate), row.level, strongest)]
    for name in sorted(row.figures, key=lambda name: not is_safety(name)):
        caption, figure = (
            getattr(find_registered(measures, name), "caption", None),
            row.figures[name],
        )
        if caption:
            figures.append(KeyFigure(figure.shown, figure.level, caption))
    return figures

"""The report in one sentence and four figures; and how to read its measures and attacks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tokumei.core.figures import percent
from tokumei.core.measure import ATTACK_LIMITS, Goal, Level, Limits
from tokumei.core.text import Text
from tokumei.core.words import known, title_of
from tokumei.report.words import KeyFigure
from tokumei.tables.registry import attackers, measures
from tokumei.tables.report.scorecard import MAIN_LOSS, ScoreRow


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
NOTHING = Text("", "")


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
    sentence, formula = getattr(kind, "sentence", NOTHING), getattr(kind, "formula", "")
    title = title_of(attackers, name)
    return Entry(name, title, sentence, formula, BETTER[Goal.MINIMIZE], ATTACK_LIMITS)


def _measure(name: str) -> Entry:
    kind = known(measures, name)
    title = title_of(measures, name)
    if kind is None:
        return Entry(name, title, NOTHING, "", NOTHING, None)
    limits = getattr(kind, "limits", None)  # another package's measure may have none
    share = getattr(kind, "as_percent", False) or getattr(kind, "relative", None) is not None
    return Entry(name, title, kind.sentence, kind.formula, BETTER[kind.goal], limits, share=share)


@dataclass(frozen=True)
class Verdict:
    """Which release stands best, and how well."""

    number: int
    level: Level
    headline: Text
    detail: Text
    figures: tuple[KeyFigure, ...]


def verdict(rows: Sequence[ScoreRow]) -> Verdict:
    """Judge the safest release that keeps its claims and does not rest on a permuted link."""
    number = best_of(rows)
    row = rows[number]
    level = Level.BAD if row.faults or row.relabelled else row.level
    return Verdict(
        number, level, _headline(row, level), _detail(row, len(rows)), tuple(_figures(row))
    )


def best_of(rows: Sequence[ScoreRow]) -> int:
    """The index of the release to look at first: sound, then safe, then little changed."""

    def cost(i: int) -> tuple[bool, bool, float, float]:
        row = rows[i]
        return bool(row.faults), row.relabelled, row.strongest.rate, row.value(MAIN_LOSS) or 0.0

    return min(range(len(rows)), key=cost)


def _headline(row: ScoreRow, level: Level) -> Text:
    name = row.label
    if row.faults:
        return Text(
            f"“{name}” does not meet its own claims.", f"「{name}」は自らの主張を満たしていません。"
        )
    if row.relabelled:
        return Text(
            f"“{name}” only looks safe: its values are those of the original.",
            f"「{name}」は安全に見えるだけで、値は変わっていません。",
        )
    found, of = percent(row.strongest.rate), row.counted
    return {
        Level.GOOD: Text(
            f"No attack we tried finds more than {found} of the {of.en} of “{name}”.",
            f"「{name}」では、試したどの攻撃でも、特定された{of.ja}は {found} 以下です。",
        ),
        Level.MID: Text(
            f"“{name}” still lets an attacker find {found} of the {of.en}.",
            f"「{name}」では、まだ {found} の{of.ja}が特定されます。",
        ),
        Level.BAD: Text(
            f"“{name}” is not safe to hand out as it is.",
            f"「{name}」をこのまま提供するのは危険です。",
        ),
    }[level]


def _detail(row: ScoreRow, count: int) -> Text:
    found, attacks = percent(row.strongest.rate), len(row.attacks)
    first = NOTHING
    if count > 1:
        first = Text(
            f"It is the safest of {count} releases. ", f"比較した {count} 件の中では最も安全です。"
        )
    tried = Text(f"The strongest of {attacks} attacks", f"{attacks} 種の攻撃のうち最も強いもの")
    if attacks == 1:
        tried = Text("The only attack tried", "試した一つの攻撃")
    return Text(
        f"{first.en}{tried.en} finds {found} of its {row.counted.en}; "
        f"blind guessing would find {percent(row.strongest.baseline)}.",
        f"{first.ja}{tried.ja}で、{row.counted.ja}の {found} が特定されます"
        f"（当てずっぽうなら {percent(row.strongest.baseline)}）。",
    )


def _figures(row: ScoreRow) -> list[KeyFigure]:
    of = row.counted
    strongest = Text(
        f"of {of.en} found by the strongest attack", f"最も強い攻撃で特定される{of.ja}"
    )
    found = [KeyFigure(percent(row.strongest.rate), row.level, strongest)]
    for name in sorted(row.figures, key=lambda name: not is_safety(name)):
        caption, figure = getattr(known(measures, name), "caption", None), row.figures[name]
        if caption:
            found.append(KeyFigure(figure.shown, figure.level, caption))
    return found

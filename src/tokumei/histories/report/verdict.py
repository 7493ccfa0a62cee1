"""Summarizes the page in one sentence and four figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scipy.stats import poisson

from tokumei.core.described import find_title
from tokumei.core.formatting import format_percent, format_percent_range
from tokumei.core.measure import ATTACK_LIMITS, Level
from tokumei.core.messages import Message
from tokumei.histories.data.guess import HistoryHits
from tokumei.histories.measures.losses import HistoryRowsKept
from tokumei.histories.registry import anonymizers, attackers
from tokumei.histories.report.chart_data import (
    SweepRun,
    front_over_all_runs,
    honest_loss_of,
    honest_total,
)
from tokumei.histories.study import HistoryStudy
from tokumei.report.page_parts import KeyFigure

SIGNIFICANCE_LEVEL = 0.01
"""How improbable hits must be under 1/k, over all attacks tried, to count as more than that."""


@dataclass(frozen=True)
class HistoryVerdict:
    """What to think of the release, in words and figures."""

    level: Level
    headline: Message
    detail: Message
    figures: tuple[KeyFigure, ...]


@dataclass(frozen=True)
class AttackSummary:
    """An attack on a release: its hits, and whether they are more than 1/k explains."""

    name: str
    title: Message
    hits: HistoryHits
    strongest: bool
    beyond: bool


def select_main_run(runs: Sequence[SweepRun]) -> SweepRun:
    """The run to speak of first: a study if there is one, the smallest comparable sum."""
    return min(runs, key=lambda run: (run.study is None, honest_total(run.chosen)))


def summarize_attacks(study: HistoryStudy) -> list[AttackSummary]:
    """All attacks of a study. The strongest is the one that surely found most."""
    strongest, lines = strongest_attack(study.attacks), []
    for name, hits in study.attacks.items():
        over_chance = exceeds_chance(hits, study.k, len(study.attacks))
        lines.append(
            AttackSummary(name, find_title(attackers, name), hits, name == strongest, over_chance)
        )
    return lines


def strongest_attack(attacks: Mapping[str, HistoryHits]) -> str | None:
    """The name of the attack with the highest lower bound; None if none found anybody."""
    successful = {name: hits for name, hits in attacks.items() if hits.hits}
    return max(successful, key=lambda name: successful[name].low, default=None)


def exceeds_chance(hits: HistoryHits, k: int, attacks: int) -> bool:
    """Whether so many hits would hardly come about if each were right with probability 1/k."""
    # One-to-one answers inside a cluster vary like a Poisson number, more than a binomial one.
    return bool(poisson.sf(hits.hits - 1, hits.tried / k) < SIGNIFICANCE_LEVEL / attacks)


def history_verdict(run: SweepRun) -> HistoryVerdict:
    """Judge the chosen release of a run."""
    return _study_verdict(run, run.study) if run.study else _sweep_verdict(run)


def _study_verdict(run: SweepRun, study: HistoryStudy) -> HistoryVerdict:
    lines = summarize_attacks(study)
    failed = [line for line in lines if line.beyond or line.hits.unsafe]
    level = Level.BAD if failed else ATTACK_LIMITS.level(1 / study.k)
    headline = Message(
        f"Every released history is shared by at least {study.k} people.",
        f"公開される履歴は、どれも {study.k} 人以上に共通しています。",
    )
    if failed:
        headline = Message(
            f"Do not release this: “{failed[0].name}” finds more people than k = {study.k} should "
            "allow.",
            f"このまま提供しないでください。攻撃「{failed[0].name}」が k = {study.k} の限度を超えて"
            "本人を特定しています。",
        )
    return HistoryVerdict(
        level, headline, _describe_outcome(study, lines), tuple(_key_figures(run, lines))
    )


def _describe_outcome(study: HistoryStudy, lines: Sequence[AttackSummary]) -> Message:
    kept, loss = format_percent(study.point.rows_kept), f"{study.point.loss:.3f}"
    attack = next((line.hits for line in lines if line.strongest), None)
    limit = f"1/{study.k} = {format_percent(1 / study.k)}"
    subject = Message("The only attack tried", "試した攻撃")
    if len(lines) > 1:
        count = len(lines)
        subject = Message(
            f"The strongest of {count} attacks", f" {count} 種の攻撃のうち最も強いもの"
        )
    is_over = any(line.beyond for line in lines if line.strongest)
    comparison = (
        Message("more than", "を超えています") if is_over else Message("no more than", "内です")
    )
    attack_sentence = Message(
        "No attack found anybody.", "どの攻撃でも本人は特定できませんでした。"
    )
    if attack:
        interval = format_percent_range(attack.low, attack.high)
        attack_sentence = Message(
            f"{subject.en}, knowing every purchase, was right about "
            f"{format_percent(attack.rate)} of the "
            f"people it named (95 % interval {interval}), {comparison.en} guessing at a rate of "
            f"{limit} "
            "would explain.",
            f"全購買を知る攻撃者を想定した{subject.ja}の正答率は {format_percent(attack.rate)} "
            f"(95 % 区間 {interval}) で、{limit} の当てずっぽうで説明できる範囲{comparison.ja}。",
        )
    return Message(
        f"{attack_sentence.en} {kept} of the rows are kept; the loss is {loss}.",
        f"{attack_sentence.ja}行の {kept} が残り、損失は {loss} です。",
    )


def _key_figures(run: SweepRun, lines: Sequence[AttackSummary]) -> list[KeyFigure]:
    point = run.chosen
    share, level = format_percent(point.risk), ATTACK_LIMITS.level(point.risk)
    caption = Message("chance that a guess is right (1/k)", "本人が特定される確率 (1/k)")
    strongest = next((line for line in lines if line.strongest), None)
    if strongest:
        caption = Message(
            f"right answers of the strongest attack (1/k: {share})",
            f"最も強い攻撃の正答率 (1/k: {share})",
        )
        share = format_percent(strongest.hits.rate)
        level = Level.BAD if strongest.beyond else level
    return [
        KeyFigure(
            f"k = {round(1 / point.risk)}",
            ATTACK_LIMITS.level(point.risk),
            Message("people share each released history", "同じ履歴になる人数"),
        ),
        KeyFigure(share, level, caption),
        KeyFigure(
            format_percent(point.rows_kept),
            HistoryRowsKept.limits.level(point.rows_kept),
            HistoryRowsKept.caption,
        ),
        KeyFigure(
            f"{honest_loss_of(point):.3f}",
            None,
            Message("loss: 0 unchanged, 1 all deleted", "損失 (0 は変更なし、1 は全削除)"),
        ),
    ]


def _sweep_verdict(run: SweepRun) -> HistoryVerdict:
    point, name, count = run.chosen, run.sweep.parameter, len(run.sweep.points)
    title = find_title(anonymizers, run.sweep.method)
    front = sum(front_over_all_runs([run])[0])
    headline = Message(
        f"{name} = {point.value} has the smallest sum of loss and risk.",
        f"損失とリスクの合計が最も小さいのは {name} = {point.value} です。",
    )
    kept, risk, loss = (
        format_percent(point.rows_kept),
        format_percent(point.risk),
        honest_loss_of(point),
    )
    detail = Message(
        f"{title.en}: loss {loss:.3f}, risk {risk}, {kept} of the rows kept. {front} of the "
        f"{count} values tried are not beaten by another value of this method, so take the "
        "smallest sum as a suggestion.",
        f"{title.ja}: 損失 {loss:.3f}、リスク {risk}、残った行 {kept}。試した {count} 個の値のうち "
        f"{front} 個は同じ手法の他の値に劣らないので、合計は目安にすぎません。",
    )
    return HistoryVerdict(
        ATTACK_LIMITS.level(point.risk), headline, detail, tuple(_key_figures(run, []))
    )

"""Summarizes the page in one sentence and four figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scipy.stats import poisson

from tokumei.core.described import find_title
from tokumei.core.formatting import format_percent, format_percent_range
from tokumei.core.measure import ATTACK_LIMITS, Level
from tokumei.core.messages import Message, join_sentences
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
from tokumei.pages.page_parts import KeyFigure

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
    headline = Message("Every released history is shared by at least {k} people.", k=study.k)
    if failed:
        headline = Message(
            "“{attack}” finds more people than k = {k} should allow.",
            attack=failed[0].name,
            k=study.k,
        )
    return HistoryVerdict(
        level, headline, _describe_outcome(study, lines), tuple(_key_figures(run, lines))
    )


def _describe_outcome(study: HistoryStudy, lines: Sequence[AttackSummary]) -> Message:
    strongest = next((line for line in lines if line.strongest), None)
    attack_sentence = Message("No attack found anybody.")
    if strongest:
        attack_sentence = _describe_strongest(strongest, len(lines), study.k)
    kept_sentence = Message(
        "{kept:percent} of the rows are kept; the loss is {loss:.3f}.",
        kept=study.point.rows_kept,
        loss=study.point.loss,
    )
    return join_sentences([attack_sentence, kept_sentence])


def _describe_strongest(strongest: AttackSummary, attack_count: int, k: int) -> Message:
    """How often it was right, beside what guessing among k people would explain."""
    hits = strongest.hits
    figures: dict[str, Any] = {
        "rate": hits.rate,
        "interval": format_percent_range(hits.low, hits.high),
        "k": k,
        "limit": 1 / k,
    }
    if attack_count == 1:
        return Message(
            "The only attack tried, knowing every purchase, was right about {rate:percent} of the "
            "people it named (95 % interval {interval}), more than guessing at a rate of 1/{k} = "
            "{limit:percent} would explain."
            if strongest.beyond
            else "The only attack tried, knowing every purchase, was right about {rate:percent} of "
            "the people it named (95 % interval {interval}), no more than guessing at a rate of "
            "1/{k} = {limit:percent} would explain.",
            **figures,
        )
    return Message(
        "The strongest of {attacks} attacks, knowing every purchase, was right about "
        "{rate:percent} of the people it named (95 % interval {interval}), more than guessing at a "
        "rate of 1/{k} = {limit:percent} would explain."
        if strongest.beyond
        else "The strongest of {attacks} attacks, knowing every purchase, was right about "
        "{rate:percent} of the people it named (95 % interval {interval}), no more than guessing "
        "at a rate of 1/{k} = {limit:percent} would explain.",
        attacks=attack_count,
        **figures,
    )


def _key_figures(run: SweepRun, lines: Sequence[AttackSummary]) -> list[KeyFigure]:
    point = run.chosen
    share, level = format_percent(point.risk), ATTACK_LIMITS.level(point.risk)
    caption = Message("chance that a guess is right (1/k)")
    strongest = next((line for line in lines if line.strongest), None)
    if strongest:
        caption = Message(
            "right answers of the strongest attack (1/k: {limit:percent})", limit=point.risk
        )
        share = format_percent(strongest.hits.rate)
        level = Level.BAD if strongest.beyond else level
    return [
        KeyFigure(
            f"k = {round(1 / point.risk)}",
            ATTACK_LIMITS.level(point.risk),
            Message("people share each released history"),
        ),
        KeyFigure(share, level, caption),
        KeyFigure(
            format_percent(point.rows_kept),
            HistoryRowsKept.limits.level(point.rows_kept),
            HistoryRowsKept.caption,
        ),
        KeyFigure(
            f"{honest_loss_of(point):.3f}", None, Message("loss: 0 unchanged, 1 all deleted")
        ),
    ]


def _sweep_verdict(run: SweepRun) -> HistoryVerdict:
    point = run.chosen
    headline = Message(
        "{parameter} = {chosen} has the smallest sum of loss and risk.",
        parameter=run.sweep.parameter,
        chosen=point.value,
    )
    detail = Message(
        "{method}: loss {loss:.3f}, risk {risk:percent}, {kept:percent} of the rows kept. {front} "
        "of the {tried} values tried are not beaten by another value of this method, so take the "
        "smallest sum as a suggestion.",
        method=find_title(anonymizers, run.sweep.method),
        loss=honest_loss_of(point),
        risk=point.risk,
        kept=point.rows_kept,
        front=sum(front_over_all_runs([run])[0]),
        tried=len(run.sweep.points),
    )
    return HistoryVerdict(
        ATTACK_LIMITS.level(point.risk), headline, detail, tuple(_key_figures(run, []))
    )

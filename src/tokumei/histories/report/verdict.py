"""The page in one sentence and four figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scipy.stats import poisson

from tokumei.core.figures import percent, percent_range
from tokumei.core.measure import ATTACK_LIMITS, Level
from tokumei.core.text import Text
from tokumei.core.words import title_of
from tokumei.histories.data.guess import HistoryHits
from tokumei.histories.measures.losses import RowsKept
from tokumei.histories.registry import anonymizers, attackers
from tokumei.histories.report.series import Run, common_front, honest_loss_of, honest_total
from tokumei.histories.study import HistoryStudy
from tokumei.report.words import KeyFigure

CHANCE = 0.01
"""How improbable hits must be under 1/k, over all attacks tried, to count as more than that."""


@dataclass(frozen=True)
class HistoryVerdict:
    """What to think of the release, in words and figures."""

    level: Level
    headline: Text
    detail: Text
    figures: tuple[KeyFigure, ...]


@dataclass(frozen=True)
class AttackLine:
    """An attack on a release: its hits, and whether they are more than 1/k explains."""

    name: str
    title: Text
    hits: HistoryHits
    strongest: bool
    beyond: bool


def main_run(runs: Sequence[Run]) -> Run:
    """The run to speak of first: a study if there is one, the smallest comparable sum."""
    return min(runs, key=lambda run: (run.study is None, honest_total(run.chosen)))


def attack_lines(study: HistoryStudy) -> list[AttackLine]:
    """All attacks of a study. The strongest is the one that surely found most."""
    strongest, lines = strongest_attack(study.attacks), []
    for name, hits in study.attacks.items():
        beyond = beyond_chance(hits, study.k, len(study.attacks))
        lines.append(AttackLine(name, title_of(attackers, name), hits, name == strongest, beyond))
    return lines


def strongest_attack(attacks: Mapping[str, HistoryHits]) -> str | None:
    """The name of the attack with the highest lower bound; None if none found anybody."""
    found = {name: hits for name, hits in attacks.items() if hits.hits}
    return max(found, key=lambda name: found[name].low, default=None)


def beyond_chance(hits: HistoryHits, k: int, attacks: int) -> bool:
    """Whether so many hits would hardly come about if each were right with probability 1/k."""
    # One-to-one answers inside a cluster vary like a Poisson number, more than a binomial one.
    return bool(poisson.sf(hits.hits - 1, hits.tried / k) < CHANCE / attacks)


def history_verdict(run: Run) -> HistoryVerdict:
    """Judge the chosen release of a run."""
    return _of_study(run, run.study) if run.study else _of_sweep(run)


def _of_study(run: Run, study: HistoryStudy) -> HistoryVerdict:
    lines = attack_lines(study)
    bad = [line for line in lines if line.beyond or line.hits.unsafe]
    level = Level.BAD if bad else ATTACK_LIMITS.level(1 / study.k)
    headline = Text(
        f"Every released history is shared by at least {study.k} people.",
        f"公開される履歴は、どれも {study.k} 人以上に共通しています。",
    )
    if bad:
        headline = Text(
            f"Do not release this: “{bad[0].name}” finds more people than k = {study.k} should "
            "allow.",
            f"このまま提供しないでください。攻撃「{bad[0].name}」が k = {study.k} の限度を超えて"
            "本人を特定しています。",
        )
    return HistoryVerdict(level, headline, _detail(study, lines), tuple(_figures(run, lines)))


def _detail(study: HistoryStudy, lines: Sequence[AttackLine]) -> Text:
    kept, loss = percent(study.point.rows_kept), f"{study.point.loss:.3f}"
    attack = next((line.hits for line in lines if line.strongest), None)
    limit = f"1/{study.k} = {percent(1 / study.k)}"
    tried = Text("The only attack tried", "試した攻撃")
    if len(lines) > 1:
        count = len(lines)
        tried = Text(f"The strongest of {count} attacks", f" {count} 種の攻撃のうち最も強いもの")
    over = any(line.beyond for line in lines if line.strongest)
    chance = Text("more than", "を超えています") if over else Text("no more than", "内です")
    found = Text("No attack found anybody.", "どの攻撃でも本人は特定できませんでした。")
    if attack:
        among = percent_range(attack.low, attack.high)
        found = Text(
            f"{tried.en}, knowing every purchase, was right about {percent(attack.rate)} of the "
            f"people it named (95 % interval {among}), {chance.en} guessing at a rate of {limit} "
            "would explain.",
            f"全購買を知る攻撃者を想定した{tried.ja}の正答率は {percent(attack.rate)} "
            f"(95 % 区間 {among}) で、{limit} の当てずっぽうで説明できる範囲{chance.ja}。",
        )
    return Text(
        f"{found.en} {kept} of the rows are kept; the loss is {loss}.",
        f"{found.ja}行の {kept} が残り、損失は {loss} です。",
    )


def _figures(run: Run, lines: Sequence[AttackLine]) -> list[KeyFigure]:
    point = run.chosen
    share, level = percent(point.risk), ATTACK_LIMITS.level(point.risk)
    caption = Text("chance that a guess is right (1/k)", "本人が特定される確率 (1/k)")
    strongest = next((line for line in lines if line.strongest), None)
    if strongest:
        caption = Text(
            f"right answers of the strongest attack (1/k: {share})",
            f"最も強い攻撃の正答率 (1/k: {share})",
        )
        share = percent(strongest.hits.rate)
        level = Level.BAD if strongest.beyond else level
    return [
        KeyFigure(
            f"k = {round(1 / point.risk)}",
            ATTACK_LIMITS.level(point.risk),
            Text("people share each released history", "同じ履歴になる人数"),
        ),
        KeyFigure(share, level, caption),
        KeyFigure(
            percent(point.rows_kept), RowsKept.limits.level(point.rows_kept), RowsKept.caption
        ),
        KeyFigure(
            f"{honest_loss_of(point):.3f}",
            None,
            Text("loss: 0 unchanged, 1 all deleted", "損失 (0 は変更なし、1 は全削除)"),
        ),
    ]


def _of_sweep(run: Run) -> HistoryVerdict:
    point, name, count = run.chosen, run.sweep.parameter, len(run.sweep.points)
    title = title_of(anonymizers, run.sweep.method)
    front = sum(common_front([run])[0])
    headline = Text(
        f"{name} = {point.value} has the smallest sum of loss and risk.",
        f"損失とリスクの合計が最も小さいのは {name} = {point.value} です。",
    )
    kept, risk, loss = percent(point.rows_kept), percent(point.risk), honest_loss_of(point)
    detail = Text(
        f"{title.en}: loss {loss:.3f}, risk {risk}, {kept} of the rows kept. {front} of the "
        f"{count} values tried are not beaten by another value of this method, so take the "
        "smallest sum as a suggestion.",
        f"{title.ja}: 損失 {loss:.3f}、リスク {risk}、残った行 {kept}。試した {count} 個の値のうち "
        f"{front} 個は同じ手法の他の値に劣らないので、合計は目安にすぎません。",
    )
    return HistoryVerdict(
        ATTACK_LIMITS.level(point.risk), headline, detail, tuple(_figures(run, []))
    )

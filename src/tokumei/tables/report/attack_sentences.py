"""Sentences about attacks and permuted links."""

from __future__ import annotations

from tokumei.core.attack_rates import AttackRate
from tokumei.core.formatting import format_percent, format_percent_range
from tokumei.core.measure import Score
from tokumei.core.messages import Message
from tokumei.tables.evaluation_suite import StrongestAttack

ROWS_NOUN = Message("rows", "行")
PEOPLE_NOUN = Message("people", "人")
"""The units attacks are counted in: people where the release identifies rows of one person."""


def describe_attack(attack: AttackRate | StrongestAttack, counted: Message = ROWS_NOUN) -> Message:
    """How much an attack finds, with its interval, beside a blind guess; `of` what is counted."""
    rate_text, baseline_text = format_percent(attack.rate), format_percent(attack.baseline)
    interval = format_percent_range(attack.low, attack.high)
    return Message(
        f"An attacker who knows the original finds {rate_text} of the {counted.en} "
        f"(95 % interval {interval}); blind guessing finds {baseline_text}.",
        f"元データを知る攻撃者は、{rate_text} の{counted.ja}を特定します"
        f"（95 % 信頼区間 {interval}）。当てずっぽうなら {baseline_text} です。",
    )


def describe_permuted_attack(
    attack: AttackRate | StrongestAttack, counted: Message = ROWS_NOUN
) -> Message:
    """State an attack rate under a permuted link, which says nothing about safety."""
    rate_text = format_percent(attack.rate)
    return Message(
        f"Scored against the permuted link, the attacks are credited with {rate_text} of the "
        f"{counted.en}. "
        "This says nothing about safety.",
        f"入れ替えた対応表で採点したため、攻撃の成功率は {rate_text} と出ます。"
        "安全であることを示す値ではありません。",
    )


def describe_permuted_loss(score: Score) -> Message:
    """The information loss where the link was permuted: rows meet those of others."""
    loss_text = format_percent(score.value)
    return Message(
        f"Compared with the permuted origins, values seem to move by {loss_text} of their range; "
        "in fact each is somebody's true value.",
        f"入れ替えた対応表で比べると、値は値域の {loss_text} 動いたように見えます。"
        "実際はどれも誰かの本当の値です。",
    )


def yamaoka_warning(verbatim: float) -> Message:
    """What a permuted link is: not protection. `verbatim`: share of rows that are copies."""
    copies = format_percent(verbatim)
    return Message(
        "The values are unchanged; the low rate comes from a permuted link (Yamaoka), and an "
        "attacker who recognises the values still finds the people. "
        f"{copies} of the released rows are exact copies of an original row.",
        "値は変わっていません。成功率が低いのは対応表を入れ替えた（山岡匿名化）ためで、"
        f"値に見覚えのある攻撃者は今でも本人を見つけられます。公開した行の {copies} は"
        "元の行と完全に一致します。",
    )

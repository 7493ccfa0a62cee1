"""What attacks and permuted links mean, in plain words."""

from __future__ import annotations

from tokumei.core.figures import percent, percent_range
from tokumei.core.measure import Score
from tokumei.core.rates import AttackRate
from tokumei.core.text import Text
from tokumei.tables.suite import Strongest

ROWS = Text("rows", "行")
PEOPLE = Text("people", "人")
"""What an attack finds: rows, or people where a release says who has several rows."""


def attack_reading(attack: AttackRate | Strongest, of: Text = ROWS) -> Text:
    """How much an attack finds, with its interval, beside a blind guess; `of` what is counted."""
    found, blind = percent(attack.rate), percent(attack.baseline)
    interval = percent_range(attack.low, attack.high)
    return Text(
        f"An attacker who knows the original finds {found} of the {of.en} "
        f"(95 % interval {interval}); blind guessing finds {blind}.",
        f"元データを知る攻撃者は、{found} の{of.ja}を特定します"
        f"（95 % 信頼区間 {interval}）。当てずっぽうなら {blind} です。",
    )


def permuted_reading(attack: AttackRate | Strongest, of: Text = ROWS) -> Text:
    """The same figure where the link was permuted: said so that nobody takes it for safety."""
    found = percent(attack.rate)
    return Text(
        f"Scored against the permuted link, the attacks are credited with {found} of the {of.en}. "
        "This says nothing about safety.",
        f"入れ替えた対応表で採点したため、攻撃の成功率は {found} と出ます。"
        "安全であることを示す値ではありません。",
    )


def permuted_loss(score: Score) -> Text:
    """The information loss where the link was permuted: rows meet those of others."""
    moved = percent(score.value)
    return Text(
        f"Compared with the permuted origins, values seem to move by {moved} of their range; "
        "in fact each is somebody's true value.",
        f"入れ替えた対応表で比べると、値は値域の {moved} 動いたように見えます。"
        "実際はどれも誰かの本当の値です。",
    )


def yamaoka_warning(verbatim: float) -> Text:
    """What a permuted link is: not protection. `verbatim`: share of rows that are copies."""
    copies = percent(verbatim)
    return Text(
        "The values are unchanged; the low rate comes from a permuted link (Yamaoka), and an "
        "attacker who recognises the values still finds the people. "
        f"{copies} of the released rows are exact copies of an original row.",
        "値は変わっていません。成功率が低いのは対応表を入れ替えた（山岡匿名化）ためで、"
        f"値に見覚えのある攻撃者は今でも本人を見つけられます。公開した行の {copies} は"
        "元の行と完全に一致します。",
    )

"""A contest's round in words: who stands best, and what to keep in mind."""

from __future__ import annotations

from tokumei.core.figures import percent
from tokumei.core.measure import ATTACK_LIMITS, Level
from tokumei.core.text import Text
from tokumei.pseudonyms.round import Scoreboard
from tokumei.report.words import Caution

CAUTIONS = (
    Caution(
        Text("Only these attacks were tried", "試したのはこれらの攻撃だけ"),
        Text(
            "A stronger attack may find more people. A low figure says what these attacks did not "
            "find, not that nothing can be found.",
            "より強い攻撃なら、さらに多くの人を特定するかもしれません。低い値は、これらの攻撃では"
            "見つからなかったことを示すだけで、誰も特定できないことを示すものではありません。",
        ),
    ),
    Caution(
        Text(
            "S counts only customers found in every month", "すべての月が当たった顧客だけを数える"
        ),
        Text(
            "S counts a customer only if every month is right. Single months are found far more "
            "often; see the second chart.",
            "S では、すべての月が当たった顧客だけを数えます。ひと月だけなら、はるかに多くの人が"
            "特定されます (二つ目のグラフ)。",
        ),
    ),
    Caution(
        Text("Knowledge is drawn once", "知識の抽出は一回"),
        Text(
            "Each share of known purchases is one random draw, the same for every release.",
            "知識はそれぞれ一回の無作為抽出で、すべての匿名加工データに同じものを使っています。",
        ),
    ),
)


def headline(board: Scoreboard) -> Text:
    """Who stands best, unless no release is safe."""
    safest = min(entry.risk for entry in board.entries)
    if ATTACK_LIMITS.level(safest) is Level.BAD:
        found = percent(safest)
        return Text(
            f"Every release fails: the strongest attack finds at least {found} of the customers",
            f"どの匿名加工データでも、最も強い攻撃に少なくとも {found} の顧客が特定される",
        )
    return Text(
        f"“{board.best.name}” has the best total", f"総合点が最も良いのは「{board.best.name}」"
    )


def detail(board: Scoreboard) -> Text:
    """The best total, and what the attacks find in that release."""
    best, most = board.best, max(board.alphas)
    found = percent(best.most_found(most).value)
    return Text(
        f"“{best.name}” has the best total of utility and safety, {best.total:.3f}. Someone who "
        f"knows {percent(most)} of the purchases finds {found} of its customers in every month; "
        f"the strongest attack is {best.strongest}.",
        f"有用性と安全性の総合が最も良いのは「{best.name}」({best.total:.3f}) です。購買の "
        f"{percent(most)} を知る人は、すべての月にわたってその顧客の {found} を特定します。"
        f"最も強い攻撃は {best.strongest} です。",
    )


def facts(board: Scoreboard) -> Text:
    """The size of the round."""
    rows, people, pairs = f"{board.rows:,}", f"{board.customers:,}", f"{board.active_pairs:,}"
    return Text(
        f"{rows} purchases · {people} customers · {board.periods} months · {pairs} (month, "
        "customer) pairs with purchases",
        f"購買 {rows} 行・顧客 {people} 人・{board.periods} か月・購買のある (月, 顧客) {pairs} 組",
    )

"""The page on a contest's round: who stands best, risk against knowledge, attacks, utility.

page = scoreboard_page(board)
Path("report.html").write_text(render_curves(page), encoding="utf-8")
"""

from __future__ import annotations

from typing import Any

from tokumei.core.figures import percent, percent_range
from tokumei.core.measure import ATTACK_LIMITS, Level
from tokumei.core.text import Text
from tokumei.core.words import title_of
from tokumei.pseudonyms.registry import attackers, measures
from tokumei.pseudonyms.round import WORST, Entry, Scoreboard
from tokumei.report.curve_page import Cell, CurvePage, Grid, Panel, Section
from tokumei.report.lines import Lines
from tokumei.report.palette import both
from tokumei.report.words import Caution, KeyFigure

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
            "S counts a customer only if every month is right, not if only some of them are.",
            "S では、すべての月が当たった顧客だけを数え、一部の月だけ当たった顧客は含みません。",
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
    title = title_of(attackers, best.strongest)
    return Text(
        f"“{best.name}” has the best total of utility and safety, {best.total:.3f}. Someone who "
        f"knows {percent(most)} of the purchases finds {found} of its customers in every month; "
        f"the strongest attack is “{best.strongest}” ({title.en}).",
        f"有用性と安全性の総合が最も良いのは「{best.name}」({best.total:.3f}) です。購買の "
        f"{percent(most)} を知る人は、すべての月にわたってその顧客の {found} を特定します。"
        f"最も強い攻撃は「{best.strongest}」({title.ja}) です。",
    )


def facts(board: Scoreboard) -> Text:
    """The size of the round."""
    rows, people, pairs = f"{board.rows:,}", f"{board.customers:,}", f"{board.active_pairs:,}"
    return Text(
        f"{rows} purchases · {people} customers · {board.periods} months · {pairs} (month, "
        "customer) pairs with purchases",
        f"購買 {rows} 行・顧客 {people} 人・{board.periods} か月・購買のある (月, 顧客) {pairs} 組",
    )


MOST_LINES = 5
ALL = Text("Customers found in every month", "すべての月で特定された顧客")
PAIRS = Text("Months of customers found", "特定された (月, 顧客) の組")
KNOWN = Text("Purchases known (α)", "知られている購買の割合 (α)")


def _panel(board: Scoreboard, name: str, what: Text, rate: str) -> Panel:
    shown = _shown(board)
    names = [_name(entry) for entry in shown]
    lines = Lines(KNOWN, what, sorted(board.alphas), names, x_format=".6~%")
    rows = [_row(entry, alpha, rate) for entry in shown for alpha in sorted(board.alphas)]
    words = Text(
        f"Line chart: {what.en.lower()} against the share of purchases known, a line per release",
        f"折れ線グラフ。知られている購買の割合に対する、{what.ja}の割合 (匿名加工データごと)",
    )
    return Panel(name, what, words, rows, lines.build)


def _shown(board: Scoreboard) -> list[Entry]:
    """As many releases as lines can be told apart: those with the lowest totals, in order."""
    best = sorted(board.entries, key=lambda entry: entry.total)[:MOST_LINES]
    return [entry for entry in board.entries if entry in best]


def _row(entry: Entry, alpha: float, rate: str) -> dict[str, Any]:
    found = entry.most_found(alpha, rate)
    figures = {"x": alpha, "y": found.value, "low": found.low, "high": found.high}
    return {**figures, **both(_name(entry)), "chosen": False}


TITLE = Text("Pseudonyms over time: the round", "期間ごとの仮名: 対戦結果")
RELEASE = Text("Release", "匿名加工データ")


def scoreboard_page(board: Scoreboard, *, title: Text | None = None) -> CurvePage:
    """Everything on the page; no customer, no pseudonym, no seed."""
    return CurvePage(
        title=title or TITLE,
        headline=headline(board),
        detail=detail(board),
        facts=facts(board),
        figures=_figures(board),
        sections=[_ranking(board), _risk(board), _attacks(board), _utility(board)],
        cautions=CAUTIONS,
    )


def _figures(board: Scoreboard) -> list[KeyFigure]:
    best = board.best
    chance = best.most_found(max(board.alphas)).baseline or 0.0
    return [
        KeyFigure(f"{best.total:.3f}", None, Text("total (U + S) / 2", "総合 (U + S) / 2")),
        KeyFigure(f"{best.worst:.3f}", None, Text("worst utility loss (U)", "有用性の損失 (U)")),
        KeyFigure(
            percent(best.risk),
            ATTACK_LIMITS.level(best.risk),
            Text(
                "of the customers found in all months, mean (S)", "全月で特定された顧客 (平均、S)"
            ),
        ),
        KeyFigure(percent(chance), None, Text("by a blind guess", "当てずっぽうの場合")),
    ]


def _ranking(board: Scoreboard) -> Section:
    header = [RELEASE, Text("Total", "総合"), Text("Utility U", "有用性 U")]
    header += [Text("Safety S", "安全性 S"), Text("Strongest attack", "最も強い攻撃")]
    header += [Text("Rows kept", "残った行"), Text("Pseudonyms", "仮名の数")]
    lines = [(_name(entry), [Cell(text) for text in _standing(entry)]) for entry in board.entries]
    return Section(
        "scoreboard",
        Text("Scoreboard", "スコアボード"),
        Text(
            "Lower is better everywhere. U is the worst of the judge’s measures; S is the largest "
            "mean, over what is known, of the share of customers found in every month.",
            "すべて小さいほど良い値です。U は審判の指標のうち最悪の値、S は「すべての月で特定された"
            "顧客の割合」を知識の量にわたって平均したもののうち、最も強い攻撃の値です。",
        ),
        grid=Grid(Text("Scoreboard", "スコアボード"), header, lines, _chosen(board)),
    )


def _standing(entry: Entry) -> list[str]:
    figures = [f"{value:.4f}" for value in (entry.total, entry.worst, entry.risk)]
    return [*figures, entry.strongest, percent(entry.rows_kept), f"{entry.pseudonyms:,}"]


def _risk(board: Scoreboard) -> Section:
    panels = [
        _panel(board, "risk-customers", ALL, "reid_all"),
        _panel(board, "risk-months", PAIRS, "reid_active"),
    ]
    shares = [percent(alpha) for alpha in board.alphas]
    header = [RELEASE, *(Text(f"{share} known", f"{share} を知る") for share in shares)]
    lines = [
        (_name(entry), [_rate(entry, alpha) for alpha in board.alphas]) for entry in board.entries
    ]
    return Section(
        "risk",
        Text("Risk against knowledge", "知識の量に対するリスク"),
        Text(
            "How many customers the strongest attack finds, by the share of purchases it knows. "
            "The band is the 95 % interval.",
            "攻撃者が知る購買の割合ごとに、最も強い攻撃が特定した顧客の割合です。"
            "帯は 95 % 区間です。",
        ),
        panels if len(board.alphas) > 1 else [],
        Grid(ALL, header, lines, _chosen(board)),
    )


def _rate(entry: Entry, alpha: float) -> Cell:
    found = entry.most_found(alpha)
    return Cell(percent(found.value), percent_range(found.low or 0.0, found.high or 0.0))


def _attacks(board: Scoreboard) -> Section:
    names = list(next(iter(board.entries[0].safety.values())))
    header = [Text("Attack", "攻撃"), *(_name(entry) for entry in board.entries)]
    lines = [
        (
            Text(f"{name}: {title.en}", f"{name}: {title.ja}"),
            [Cell(percent(entry.mean_rate(name))) for entry in board.entries],
        )
        for name in names
        for title in (title_of(attackers, name),)
    ]
    return Section(
        "attacks",
        Text("Attack by attack", "攻撃ごとの結果"),
        Text(
            "Customers found in every month, mean over what is known.",
            "すべての月で特定された顧客の割合を、知識の量にわたって平均した値です。",
        ),
        grid=Grid(Text("Attacks", "攻撃"), header, lines),
    )


def _utility(board: Scoreboard) -> Section:
    names = [name for name in board.entries[0].utility if name != WORST]
    header = [Text("Measure", "指標"), *(_name(entry) for entry in board.entries)]
    lines = [
        (
            measures.get(name).title,
            [Cell(f"{entry.utility[name].value:.6f}") for entry in board.entries],
        )
        for name in names
    ]
    return Section(
        "utility",
        Text("What the data is still good for", "有用性"),
        Text("Losses: 0 is none, 1 the worst.", "損失です。0 が損失なし、1 が最悪です。"),
        grid=Grid(Text("Utility", "有用性"), header, lines),
    )


def _name(entry: Entry) -> Text:
    return Text(entry.name, entry.name)


def _chosen(board: Scoreboard) -> list[int]:
    return [place for place, entry in enumerate(board.entries) if entry is board.best]

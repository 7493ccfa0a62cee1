"""Renders the page of a contest round: ranking, risk against knowledge, attacks, utility.

page = scoreboard_page(board)
Path("report.html").write_text(render_curve_page(page), encoding="utf-8")
"""

from __future__ import annotations

from tokumei.core.described import find_title
from tokumei.core.formatting import format_percent, format_percent_range
from tokumei.core.json_types import JsonObject
from tokumei.core.measure import ATTACK_LIMITS, Level
from tokumei.core.messages import Message
from tokumei.pseudonyms.contest_round import WORST_MEASURE, RoundScoreboard, ScoreboardEntry
from tokumei.pseudonyms.registry import attackers, measures
from tokumei.report.curve_page import ChartPanel, CurvePage, FigureCell, FigureGrid, PageSection
from tokumei.report.line_chart import LineChart
from tokumei.report.page_parts import Caution, KeyFigure
from tokumei.report.palette import bilingual_columns

CAUTIONS = (
    Caution(
        Message("Only these attacks were tried", "試したのはこれらの攻撃だけ"),
        Message(
            "A stronger attack may find more people. A low figure says what these attacks did not "
            "find, not that nothing can be found.",
            "より強い攻撃なら、さらに多くの人を特定するかもしれません。低い値は、これらの攻撃では"
            "見つからなかったことを示すだけで、誰も特定できないことを示すものではありません。",
        ),
    ),
    Caution(
        Message(
            "S counts only customers found in every month", "すべての月が当たった顧客だけを数える"
        ),
        Message(
            "S counts a customer only if every month is right, not if only some of them are.",
            "S では、すべての月が当たった顧客だけを数え、一部の月だけ当たった顧客は含みません。",
        ),
    ),
    Caution(
        Message("Knowledge is drawn once", "知識の抽出は一回"),
        Message(
            "Each share of known purchases is one random draw, the same for every release.",
            "知識はそれぞれ一回の無作為抽出で、すべての匿名加工データに同じものを使っています。",
        ),
    ),
)


def describe_winner(board: RoundScoreboard) -> Message:
    """Who stands best, unless no release is safe."""
    safest = min(entry.risk for entry in board.entries)
    if ATTACK_LIMITS.level(safest) is Level.BAD:
        share = format_percent(safest)
        return Message(
            f"Every release fails: the strongest attack finds at least {share} of the customers",
            f"どの匿名加工データでも、最も強い攻撃に少なくとも {share} の顧客が特定される",
        )
    return Message(
        f"“{board.best.name}” has the best total", f"総合点が最も良いのは「{board.best.name}」"
    )


def describe_best_release(board: RoundScoreboard) -> Message:
    """The best total, and what the attacks find in that release."""
    best, most = board.best, max(board.alphas)
    share = format_percent(best.highest_rate(most).value)
    title = find_title(attackers, best.strongest)
    return Message(
        f"“{best.name}” has the best total of utility and safety, {best.total:.3f}. Someone who "
        f"knows {format_percent(most)} of the purchases finds {share} of its customers in every "
        f"month; "
        f"the strongest attack is “{best.strongest}” ({title.en}).",
        f"有用性と安全性の総合が最も良いのは「{best.name}」({best.total:.3f}) です。購買の "
        f"{format_percent(most)} を知る人は、すべての月にわたってその顧客の {share} を特定します。"
        f"最も強い攻撃は「{best.strongest}」({title.ja}) です。",
    )


def describe_round(board: RoundScoreboard) -> Message:
    """The size of the round."""
    rows, people, pairs = f"{board.rows:,}", f"{board.customers:,}", f"{board.active_pairs:,}"
    return Message(
        f"{rows} purchases · {people} customers · {board.periods} months · {pairs} (month, "
        "customer) pairs with purchases",
        f"購買 {rows} 行・顧客 {people} 人・{board.periods} か月・購買のある (月, 顧客) {pairs} 組",
    )


MAX_LINES = 5
CUSTOMERS_FOUND_TITLE = Message("Customers found in every month", "すべての月で特定された顧客")
PAIRS_FOUND_TITLE = Message("Months of customers found", "特定された (月, 顧客) の組")
KNOWN_SHARE_TITLE = Message("Purchases known (α)", "知られている購買の割合 (α)")


def _risk_panel(board: RoundScoreboard, name: str, title: Message, rate: str) -> ChartPanel:
    entries = _shown_entries(board)
    names = [_entry_title(entry) for entry in entries]
    lines = LineChart(KNOWN_SHARE_TITLE, title, sorted(board.alphas), names, x_format=".6~%")
    rows = [_chart_row(entry, alpha, rate) for entry in entries for alpha in sorted(board.alphas)]
    words = Message(
        f"Line chart: {title.en.lower()} against the share of purchases known, a line per release",
        f"折れ線グラフ。知られている購買の割合に対する、{title.ja}の割合 (匿名加工データごと)",
    )
    return ChartPanel(name, title, words, rows, lines.build)


def _shown_entries(board: RoundScoreboard) -> list[ScoreboardEntry]:
    """As many releases as lines can be told apart: those with the lowest totals, in order."""
    best = sorted(board.entries, key=lambda entry: entry.total)[:MAX_LINES]
    return [entry for entry in board.entries if entry in best]


def _chart_row(entry: ScoreboardEntry, alpha: float, rate: str) -> JsonObject:
    score = entry.highest_rate(alpha, rate)
    figures = {"x": alpha, "y": score.value, "low": score.low, "high": score.high}
    return {**figures, **bilingual_columns(_entry_title(entry)), "chosen": False}


PAGE_TITLE = Message("Pseudonyms over time: the round", "期間ごとの仮名: 対戦結果")
RELEASE_COLUMN = Message("Release", "匿名加工データ")


def scoreboard_page(board: RoundScoreboard, *, title: Message | None = None) -> CurvePage:
    """Everything on the page; no customer, no pseudonym, no seed."""
    return CurvePage(
        title=title or PAGE_TITLE,
        headline=describe_winner(board),
        detail=describe_best_release(board),
        facts=describe_round(board),
        figures=_key_figures(board),
        sections=[
            _ranking_section(board),
            _risk_section(board),
            _attacks_section(board),
            _utility_section(board),
        ],
        cautions=CAUTIONS,
    )


def _key_figures(board: RoundScoreboard) -> list[KeyFigure]:
    best = board.best
    chance = best.highest_rate(max(board.alphas)).baseline or 0.0
    return [
        KeyFigure(f"{best.total:.3f}", None, Message("total (U + S) / 2", "総合 (U + S) / 2")),
        KeyFigure(
            f"{best.worst_utility_loss:.3f}",
            None,
            Message("worst utility loss (U)", "有用性の損失 (U)"),
        ),
        KeyFigure(
            format_percent(best.risk),
            ATTACK_LIMITS.level(best.risk),
            Message(
                "of the customers found in all months, mean (S)", "全月で特定された顧客 (平均、S)"
            ),
        ),
        KeyFigure(format_percent(chance), None, Message("by a blind guess", "当てずっぽうの場合")),
    ]


def _ranking_section(board: RoundScoreboard) -> PageSection:
    header = [RELEASE_COLUMN, Message("Total", "総合"), Message("Utility U", "有用性 U")]
    header += [Message("Safety S", "安全性 S"), Message("Strongest attack", "最も強い攻撃")]
    header += [Message("Rows kept", "残った行"), Message("Pseudonyms", "仮名の数")]
    lines = [
        (_entry_title(entry), [FigureCell(text) for text in _ranking_cells(entry)])
        for entry in board.entries
    ]
    return PageSection(
        "scoreboard",
        Message("Scoreboard", "スコアボード"),
        Message(
            "Lower is better everywhere. U is the worst of the judge’s measures; S is the largest "
            "mean, over what is known, of the share of customers found in every month.",
            "すべて小さいほど良い値です。U は審判の指標のうち最悪の値、S は「すべての月で特定された"
            "顧客の割合」を知識の量にわたって平均したもののうち、最も強い攻撃の値です。",
        ),
        grid=FigureGrid(Message("Scoreboard", "スコアボード"), header, lines, _best_lines(board)),
    )


def _ranking_cells(entry: ScoreboardEntry) -> list[str]:
    figures = [f"{value:.4f}" for value in (entry.total, entry.worst_utility_loss, entry.risk)]
    return [*figures, entry.strongest, format_percent(entry.rows_kept), f"{entry.pseudonyms:,}"]


def _risk_section(board: RoundScoreboard) -> PageSection:
    panels = [
        _risk_panel(board, "risk-customers", CUSTOMERS_FOUND_TITLE, "reid_all"),
        _risk_panel(board, "risk-months", PAIRS_FOUND_TITLE, "reid_active"),
    ]
    shares = [format_percent(alpha) for alpha in board.alphas]
    header = [RELEASE_COLUMN, *(Message(f"{share} known", f"{share} を知る") for share in shares)]
    lines = [
        (_entry_title(entry), [_rate_cell(entry, alpha) for alpha in board.alphas])
        for entry in board.entries
    ]
    return PageSection(
        "risk",
        Message("Risk against knowledge", "知識の量に対するリスク"),
        Message(
            "How many customers the strongest attack finds, by the share of purchases it knows. "
            "The band is the 95 % interval.",
            "攻撃者が知る購買の割合ごとに、最も強い攻撃が特定した顧客の割合です。"
            "帯は 95 % 区間です。",
        ),
        panels if len(board.alphas) > 1 else [],
        FigureGrid(CUSTOMERS_FOUND_TITLE, header, lines, _best_lines(board)),
    )


def _rate_cell(entry: ScoreboardEntry, alpha: float) -> FigureCell:
    score = entry.highest_rate(alpha)
    return FigureCell(
        format_percent(score.value), format_percent_range(score.low or 0.0, score.high or 0.0)
    )


def _attacks_section(board: RoundScoreboard) -> PageSection:
    names = list(next(iter(board.entries[0].safety.values())))
    header = [Message("Attack", "攻撃"), *(_entry_title(entry) for entry in board.entries)]
    lines = [
        (
            Message(f"{name}: {title.en}", f"{name}: {title.ja}"),
            [FigureCell(format_percent(entry.mean_rate(name))) for entry in board.entries],
        )
        for name in names
        for title in (find_title(attackers, name),)
    ]
    return PageSection(
        "attacks",
        Message("Attack by attack", "攻撃ごとの結果"),
        Message(
            "Customers found in every month, mean over what is known.",
            "すべての月で特定された顧客の割合を、知識の量にわたって平均した値です。",
        ),
        grid=FigureGrid(Message("Attacks", "攻撃"), header, lines),
    )


def _utility_section(board: RoundScoreboard) -> PageSection:
    names = [name for name in board.entries[0].utility if name != WORST_MEASURE]
    header = [Message("Measure", "指標"), *(_entry_title(entry) for entry in board.entries)]
    lines = [
        (
            measures.get(name).title,
            [FigureCell(f"{entry.utility[name].value:.6f}") for entry in board.entries],
        )
        for name in names
    ]
    return PageSection(
        "utility",
        Message("What the data is still good for", "有用性"),
        Message("Losses: 0 is none, 1 the worst.", "損失です。0 が損失なし、1 が最悪です。"),
        grid=FigureGrid(Message("Utility", "有用性"), header, lines),
    )


def _entry_title(entry: ScoreboardEntry) -> Message:
    return Message(entry.name, entry.name)


def _best_lines(board: RoundScoreboard) -> list[int]:
    return [place for place, entry in enumerate(board.entries) if entry is board.best]

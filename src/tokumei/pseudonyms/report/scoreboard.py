"""The page on a contest's round: who stands best, risk against knowledge, attacks, utility.

page = scoreboard_page(board)
Path("report.html").write_text(render_curves(page), encoding="utf-8")
"""

from __future__ import annotations

from tokumei.core.figures import percent, percent_range
from tokumei.core.measure import ATTACK_LIMITS
from tokumei.core.text import Text
from tokumei.pseudonyms.registry import measures
from tokumei.pseudonyms.report.scoreboard_charts import ALL, risk_panels
from tokumei.pseudonyms.report.scoreboard_words import CAUTIONS, detail, facts, headline
from tokumei.pseudonyms.round import WORST, Entry, Scoreboard
from tokumei.report.curve_page import Cell, CurvePage, Grid, Section
from tokumei.report.words import KeyFigure

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
                "of the customers found in all months, mean (S)",
                "全月で特定された顧客 (平均、S)",
            ),
        ),
        KeyFigure(percent(chance), None, Text("by a blind guess", "当てずっぽうの場合")),
    ]


def _ranking(board: Scoreboard) -> Section:
    header = [
        RELEASE,
        Text("Total", "総合"),
        Text("Utility U", "有用性 U"),
        Text("Safety S", "安全性 S"),
        Text("Strongest attack", "最も強い攻撃"),
        Text("Rows kept", "残った行"),
        Text("Pseudonyms", "仮名の数"),
    ]
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
    header = [RELEASE, *(known(alpha) for alpha in board.alphas)]
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
        risk_panels(board),
        Grid(ALL, header, lines, _chosen(board)),
    )


def _rate(entry: Entry, alpha: float) -> Cell:
    found = entry.most_found(alpha)
    return Cell(percent(found.value), percent_range(found.low or 0.0, found.high or 0.0))


def _attacks(board: Scoreboard) -> Section:
    names = list(next(iter(board.entries[0].safety.values())))
    header = [Text("Attack", "攻撃"), *(_name(entry) for entry in board.entries)]
    lines = [
        (Text(name, name), [Cell(percent(entry.mean_rate(name))) for entry in board.entries])
        for name in names
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
        Text(
            "Losses: 0 is none, 1 the worst.",
            "損失です。0 が損失なし、1 が最悪です。",
        ),
        grid=Grid(Text("Utility", "有用性"), header, lines),
    )


def known(alpha: float) -> Text:
    """A share of the purchases in words."""
    return Text(f"{percent(alpha)} known", f"{percent(alpha)} を知る")


def _name(entry: Entry) -> Text:
    return Text(entry.name, entry.name)


def _chosen(board: Scoreboard) -> list[int]:
    return [place for place, entry in enumerate(board.entries) if entry is board.best]

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
from tokumei.pages.curve_page import ChartPanel, CurvePage, FigureCell, FigureGrid, PageSection
from tokumei.pages.line_chart import LineChart
from tokumei.pages.page_parts import Caution, KeyFigure
from tokumei.pages.palette import bilingual_columns
from tokumei.pseudonyms.contest_round import WORST_MEASURE, RoundScoreboard, ScoreboardEntry
from tokumei.pseudonyms.registry import attackers, measures

CAUTIONS = (
    Caution(
        Message("Only these attacks were tried"),
        Message(
            "A stronger attack may find more people. A low figure says what these attacks did not "
            "find, not that nothing can be found."
        ),
    ),
    Caution(
        Message("S counts only customers found in every month"),
        Message("S counts a customer only if every month is right, not if only some of them are."),
    ),
    Caution(
        Message("Knowledge is drawn once"),
        Message("Each share of known purchases is one random draw, the same for every release."),
    ),
)


def describe_winner(board: RoundScoreboard) -> Message:
    """Who stands best, unless no release is safe."""
    safest = min(entry.risk for entry in board.entries)
    if ATTACK_LIMITS.level(safest) is Level.BAD:
        return Message(
            "Every release fails: the strongest attack finds at least {found:percent} of the "
            "customers",
            found=safest,
        )
    return Message("“{release}” has the best total", release=board.best.name)


def describe_best_release(board: RoundScoreboard) -> Message:
    """The best total, and what the attacks find in that release."""
    best, most = board.best, max(board.alphas)
    return Message(
        "“{release}” has the best total of utility and safety, {total:.3f}. Someone who knows "
        "{known:percent} of the purchases finds {found:percent} of its customers in every month; "
        "the strongest attack is “{attack}” ({title}).",
        release=best.name,
        total=best.total,
        known=most,
        found=best.highest_rate(most).value,
        attack=best.strongest,
        title=find_title(attackers, best.strongest),
    )


def describe_round(board: RoundScoreboard) -> Message:
    """The size of the round."""
    return Message(
        "{rows:,} purchases · {people:,} customers · {months} months · {pairs:,} (month, customer) "
        "pairs with purchases",
        rows=board.rows,
        people=board.customers,
        months=board.periods,
        pairs=board.active_pairs,
    )


MAX_LINES = 5
CUSTOMERS_FOUND_TITLE = Message("Customers found in every month")
CUSTOMERS_FOUND_LABEL = Message(
    "Line chart: customers found in every month against the share of purchases known, a line per "
    "release"
)
PAIRS_FOUND_TITLE = Message("Months of customers found")
PAIRS_FOUND_LABEL = Message(
    "Line chart: months of customers found against the share of purchases known, a line per release"
)
KNOWN_SHARE_TITLE = Message("Purchases known (α)")


def _risk_panel(
    board: RoundScoreboard, name: str, title: Message, label: Message, rate: str
) -> ChartPanel:
    entries = _shown_entries(board)
    names = [_entry_title(entry) for entry in entries]
    lines = LineChart(KNOWN_SHARE_TITLE, title, sorted(board.alphas), names, x_format=".6~%")
    rows = [_chart_row(entry, alpha, rate) for entry in entries for alpha in sorted(board.alphas)]
    return ChartPanel(name, title, label, rows, lines.build)


def _shown_entries(board: RoundScoreboard) -> list[ScoreboardEntry]:
    """As many releases as lines can be told apart: those with the lowest totals, in order."""
    best = sorted(board.entries, key=lambda entry: entry.total)[:MAX_LINES]
    return [entry for entry in board.entries if entry in best]


def _chart_row(entry: ScoreboardEntry, alpha: float, rate: str) -> JsonObject:
    score = entry.highest_rate(alpha, rate)
    figures = {"x": alpha, "y": score.value, "low": score.low, "high": score.high}
    return {**figures, **bilingual_columns(_entry_title(entry)), "chosen": False}


PAGE_TITLE = Message("Pseudonyms over time: the round")
RELEASE_COLUMN = Message("Release")


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
        KeyFigure(f"{best.total:.3f}", None, Message("total (U + S) / 2")),
        KeyFigure(f"{best.worst_utility_loss:.3f}", None, Message("worst utility loss (U)")),
        KeyFigure(
            format_percent(best.risk),
            ATTACK_LIMITS.level(best.risk),
            Message("of the customers found in all months, mean (S)"),
        ),
        KeyFigure(format_percent(chance), None, Message("by a blind guess")),
    ]


def _ranking_section(board: RoundScoreboard) -> PageSection:
    header = [RELEASE_COLUMN, Message("Total"), Message("Utility U")]
    header += [Message("Safety S"), Message("Strongest attack")]
    header += [Message("Rows kept"), Message("Pseudonyms")]
    lines = [
        (_entry_title(entry), [FigureCell(text) for text in _ranking_cells(entry)])
        for entry in board.entries
    ]
    return PageSection(
        "scoreboard",
        Message("Scoreboard"),
        Message(
            "Lower is better everywhere. U is the worst of the judge’s measures; S is the largest "
            "mean, over what is known, of the share of customers found in every month."
        ),
        grid=FigureGrid(Message("Scoreboard"), header, lines, _best_lines(board)),
    )


def _ranking_cells(entry: ScoreboardEntry) -> list[str]:
    figures = [f"{value:.4f}" for value in (entry.total, entry.worst_utility_loss, entry.risk)]
    return [*figures, entry.strongest, format_percent(entry.rows_kept), f"{entry.pseudonyms:,}"]


def _risk_section(board: RoundScoreboard) -> PageSection:
    panels = [
        _risk_panel(
            board, "risk-customers", CUSTOMERS_FOUND_TITLE, CUSTOMERS_FOUND_LABEL, "reid_all"
        ),
        _risk_panel(board, "risk-months", PAIRS_FOUND_TITLE, PAIRS_FOUND_LABEL, "reid_active"),
    ]
    known_titles = [Message("{share:percent} known", share=alpha) for alpha in board.alphas]
    header = [RELEASE_COLUMN, *known_titles]
    lines = [
        (_entry_title(entry), [_rate_cell(entry, alpha) for alpha in board.alphas])
        for entry in board.entries
    ]
    return PageSection(
        "risk",
        Message("Risk against knowledge"),
        Message(
            "How many customers the strongest attack finds, by the share of purchases it knows. "
            "The band is the 95 % interval."
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
    header = [Message("Attack"), *(_entry_title(entry) for entry in board.entries)]
    lines = [
        (
            Message("{attack}: {title}", attack=name, title=title),
            [FigureCell(format_percent(entry.mean_rate(name))) for entry in board.entries],
        )
        for name in names
        for title in (find_title(attackers, name),)
    ]
    return PageSection(
        "attacks",
        Message("Attack by attack"),
        Message("Customers found in every month, mean over what is known."),
        grid=FigureGrid(Message("Attacks"), header, lines),
    )


def _utility_section(board: RoundScoreboard) -> PageSection:
    names = [name for name in board.entries[0].utility if name != WORST_MEASURE]
    header = [Message("Measure"), *(_entry_title(entry) for entry in board.entries)]
    lines = [
        (
            measures.get(name).title,
            [FigureCell(f"{entry.utility[name].value:.6f}") for entry in board.entries],
        )
        for name in names
    ]
    return PageSection(
        "utility",
        Message("What the data is still good for"),
        Message("Losses: 0 is none, 1 the worst."),
        grid=FigureGrid(Message("Utility"), header, lines),
    )


def _entry_title(entry: ScoreboardEntry) -> Message:
    return Message.verbatim(entry.name)


def _best_lines(board: RoundScoreboard) -> list[int]:
    return [place for place, entry in enumerate(board.entries) if entry is board.best]

"""The charts of a contest's round: risk against knowledge, a line per release."""

from __future__ import annotations

from typing import Any

from tokumei.core.text import Text
from tokumei.pseudonyms.round import Entry, Scoreboard
from tokumei.report.curve_page import Panel
from tokumei.report.lines import Lines

MOST_LINES = 5
ALL = Text("Customers found in every month", "すべての月で特定された顧客")
PAIRS = Text("Months of customers found", "特定された (月, 顧客) の組")
KNOWN = Text("Purchases known (α)", "知られている購買の割合 (α)")


def risk_panels(board: Scoreboard) -> list[Panel]:
    """Whole customers, and single months of them, each against the share that is known."""
    if len(board.alphas) < 2:
        return []
    return [
        _panel(board, "risk-customers", ALL, "reid_all"),
        _panel(board, "risk-months", PAIRS, "reid_active"),
    ]


def _panel(board: Scoreboard, name: str, what: Text, rate: str) -> Panel:
    shown = _shown(board)
    names = [Text(entry.name, entry.name) for entry in shown]
    lines = Lines(KNOWN, what, sorted(board.alphas), names, x_format="~%")
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
    band = {"low": found.low, "high": found.high}
    names = {"en": entry.name, "ja": entry.name}
    return {"x": alpha, "y": found.value, **band, **names, "chosen": False}

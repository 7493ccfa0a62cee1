"""The figures of a score as tables: measures, attacks by knowledge, whatever else a judge tells.

    score_tables({"utility": {"U1": 0.1}, "safety": {"same-item": {"0.25": 0.3}}})

Neighbours with the same inner names share a table, so that what belongs together is seen together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from tokumei.contest.web.figures import NONE, score
from tokumei.core.text import Text

TITLES = {
    "utility": Text("Utility, measure by measure", "有用性の内訳"),
    "scaled": Text("Utility as shares of its scale", "有用性（尺度に対する割合）"),
    "safety": Text("Safety, attack by attack", "安全性の内訳"),
    "tests": Text("Safety test", "安全性の検定"),
}
FURTHER = Text("Further figures", "そのほかの数値")
KINDS = {
    "utility": Text("Measure", "指標"),
    "scaled": Text("Measure", "指標"),
    "safety": Text("Attack", "攻撃"),
    "tests": Text("Attack", "攻撃"),
}
OTHER = Text("Figure", "項目")
VALUE = Text("Value", "値")
NAMES = {
    "reid_all": Text("customers found in full", "全期間を再識別した顧客の割合"),
    "reid_active": Text("pseudonyms found", "再識別した仮名の割合"),
    "reid_pairs": Text("customer and period found", "再識別した顧客×期間の割合"),
    "rows_kept": Text("rows kept", "残った行の割合"),
    "pseudonyms": Text("pseudonyms", "仮名の数"),
    "rate": Text("share found", "再識別率"),
    "hits": Text("hits", "正答数"),
    "tried": Text("tried", "試行数"),
    "answered": Text("rows answered", "回答した行数"),
    "rows": Text("rows", "行数"),
    "threshold": Text("fails from", "基準を超える正答数"),
    "unsafe": Text("fails the safety test", "基準不適合"),
    "all": Text("all answers", "すべての答え"),
    "surest": Text("most confident answers", "確信度の高い答え"),
}


@dataclass(frozen=True)
class ScoreTable:
    """One table."""

    title: Text
    what: Text
    columns: Sequence[Text | str]
    rows: Sequence[tuple[str, Sequence[Any]]]


def score_tables(figures: Mapping[str, Any]) -> list[ScoreTable]:
    """All figures, in the judge's order; those that stand alone are gathered at the end."""
    tables: list[ScoreTable] = []
    alone: dict[str, Any] = {}
    alike: dict[str, Any] = {}
    for name, held in figures.items():
        if name in TITLES and isinstance(held, Mapping):
            tables.append(_table(TITLES[name], KINDS[name], held))
        elif isinstance(held, Mapping):
            alike[name] = held
        else:
            alone[name] = held
    tables += [_table(FURTHER, OTHER, held) for held in (alike, alone)]
    return [table for table in tables if table.rows]


def figure(value: Any) -> Markup | str | Text:
    """A figure of any kind."""
    if isinstance(value, bool):
        return Text("yes", "はい") if value else Text("no", "いいえ")
    if isinstance(value, float):
        return score(value)
    if isinstance(value, int):
        return f"{value:,}"
    return NONE if value is None else str(value)


def _table(title: Text, what: Text, held: Mapping[str, Any]) -> ScoreTable:
    lines = _lines(held)
    names = list(dict.fromkeys(name for _, cells in lines for name in cells))
    rows = [(row, [cells.get(name) for name in names]) for row, cells in lines]
    return ScoreTable(title, what, [_head(name) for name in names], rows)


def _lines(held: Mapping[str, Any]) -> list[tuple[str, Mapping[str, Any]]]:
    """Rows with named cells; what is nested deeper gets a row for each inner name."""
    lines: list[tuple[str, Mapping[str, Any]]] = []
    for name, value in held.items():
        shown = _shown(name)
        if not isinstance(value, Mapping):
            lines.append((shown, {"": value}))
        elif any(isinstance(inner, Mapping) for inner in value.values()):
            lines += [(f"{shown} · {inner}", cells) for inner, cells in _lines(value)]
        else:
            lines.append((shown, value))
    return lines


def _shown(name: str) -> str:
    return NAMES[name].show() if name in NAMES else name


def _head(name: str) -> Text | str:
    """A column's head: a number is a share of knowledge."""
    if not name:
        return VALUE
    return f"α = {name}" if name.replace(".", "", 1).isdigit() else _shown(name)

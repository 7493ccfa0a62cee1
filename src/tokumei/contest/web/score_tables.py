"""The figures of a score as tables: measures, and attacks by knowledge.

    score_tables({"utility": {"U1": 0.1}, "safety": {"same-item": {"0.25": 0.3}}})

Formats may tell more than these two; whatever is plain is shown in the same way.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from tokumei.contest.web.figures import NONE, score
from tokumei.text import Text

TITLES = {
    "utility": Text("Utility, measure by measure", "有用性の内訳"),
    "safety": Text("Safety, attack by attack", "安全性の内訳"),
}
KINDS = {"utility": Text("Measure", "指標"), "safety": Text("Attack", "攻撃")}
OTHER = Text("Figure", "項目")
VALUE = Text("Value", "値")


@dataclass(frozen=True)
class ScoreTable:
    """One table."""

    title: Text
    what: Text
    columns: Sequence[Text | str]
    rows: Sequence[tuple[str, Sequence[Any]]]


def score_tables(figures: Mapping[str, Any]) -> list[ScoreTable]:
    """All figures, in the judge's order; single ones gathered in a table of their own."""
    tables = [_table(name, held) for name, held in figures.items() if isinstance(held, Mapping)]
    single = [(name, [v]) for name, v in figures.items() if not isinstance(v, Mapping)]
    if single:
        tables.append(ScoreTable(Text("Further figures", "そのほか"), OTHER, [VALUE], single))
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


def _table(name: str, held: Mapping[str, Any]) -> ScoreTable:
    title, what = TITLES.get(name, Text(name, name)), KINDS.get(name, OTHER)
    columns: list[str] = []
    for value in held.values():
        columns += [key for key in _keys(value) if key not in columns]
    if not columns:
        return ScoreTable(title, what, [VALUE], [(key, [v]) for key, v in held.items()])
    rows = [(key, _cells(value, columns)) for key, value in held.items()]
    heads = [Text(f"α = {key}", f"α = {key}") if name == "safety" else key for key in columns]
    return ScoreTable(title, what, heads, rows)


def _keys(value: Any) -> list[str]:
    return list(value) if isinstance(value, Mapping) else []


def _cells(value: Any, columns: Sequence[str]) -> list[Any]:
    if isinstance(value, Mapping):
        return [value.get(key) for key in columns]
    return [value, *[None] * (len(columns) - 1)]

"""A team's scores, one release after the other.

history_chart(entries, lang)        # None with fewer than two scored releases
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from markupsafe import Markup

from tokumei.contest.desk.entry_views import EntryView, ScoreView
from tokumei.contest.web.charts.axes import Axes
from tokumei.contest.web.charts.svg import element, percent, picture, plain
from tokumei.core.text import Text

SERIES = (
    ("total", Text("Total", "総合"), "line", "best"),
    ("utility", Text("Utility U", "有用性 U"), "line second", ""),
    ("safety", Text("Safety S", "安全性 S"), "line third", "third"),
)
HEIGHT = 240


def history_chart(entries: Sequence[EntryView]) -> Markup | None:
    """The figures of all scored releases, the oldest on the left."""
    scored = [
        (entry, entry.score)
        for entry in sorted(entries, key=lambda entry: entry.received_at)
        if entry.kind == "release" and entry.score is not None and entry.state == "scored"
    ]
    values = [v for _, score in scored for v in _values(score) if v is not None]
    if len(scored) < 2 or not values:
        return None
    axes = Axes.around([0.0, len(scored) - 1.0], values, height=HEIGHT)
    parts = [*axes.levels(Text("score, lower is better", "スコア（小さいほど良い）"))]
    parts += _names(len(scored))
    for field, title, line, dot in SERIES:
        parts += _series(axes, [getattr(score, field) for _, score in scored], title, line, dot)
    about = Text(
        f"{len(scored)} scored releases; all figures are in the table.",
        f"採点済み {len(scored)} 件。数値は表にあります。",
    )
    title = Text("Scores of your releases over time", "提出ごとのスコアの推移")
    return picture("history-chart", title, about, parts, height=HEIGHT, width="100%")


def _values(score: ScoreView) -> list[float | None]:
    return [getattr(score, field) for field, *_ in SERIES]


def _series(
    axes: Axes, values: Sequence[float | None], title: Text, line: str, dot: str
) -> list[Markup]:
    last = len(values) - 1
    known = [(place / last, value) for place, value in enumerate(values) if value is not None]
    lines = [
        element("line", x1=percent(x1), y1=axes.y(y1), x2=percent(x2), y2=axes.y(y2), class_=line)
        for (x1, y1), (x2, y2) in pairwise(known)
    ]
    dots = [
        element(
            "circle",
            element("title", f"{title.show()} {plain(round(y, 4))}"),
            cx=percent(x),
            cy=axes.y(y),
            r=4,
            class_=f"dot {dot}",
        )
        for x, y in known
    ]
    return [*lines, *dots]


def _names(count: int) -> list[Markup]:
    step = max(1, count // 10)
    return [
        element(
            "text",
            place + 1,
            x=percent(place / (count - 1)),
            y=HEIGHT + 20,
            text_anchor="middle",
            class_="soft",
        )
        for place in range(0, count, step)
    ]

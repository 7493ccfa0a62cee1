"""Utility against safety: the nearer to the lower left corner, the better.

plane_chart(points(place, viewer, "cup"), ranks={"Yoru": 1})
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from markupsafe import Markup

from tokumei.contest.desk.board_views import PointView
from tokumei.contest.web.charts.axes import Axes
from tokumei.contest.web.charts.svg import element, picture, plain
from tokumei.text import Text

HEIGHT = 340


def plane_chart(points: Sequence[PointView], ranks: Mapping[str, int | None]) -> Markup | None:
    """Every release as a dot; published ones carry their team's rank."""
    if not points:
        return None
    axes = Axes.around(
        [point.utility for point in points], [point.safety for point in points], height=HEIGHT
    )
    parts = [
        *axes.levels(Text("Safety S ↓ better", "安全性 S ↓ 良い")),
        *axes.columns(Text("← better · Utility U", "← 良い · 有用性 U")),
    ]
    for point in sorted(points, key=lambda point: (point.published, point.mine)):
        parts += _point(axes, point, ranks.get(point.team))
    about = Text(
        f"{len(points)} releases; the figures of published ones are in the table.",
        f"匿名加工データ {len(points)} 件。公開分の数値は表にあります。",
    )
    title = Text("Utility and safety of the releases", "匿名加工データの有用性と安全性")
    return picture("plane-chart", title, about, parts, height=HEIGHT, width="100%")


def _point(axes: Axes, point: PointView, rank: int | None) -> list[Markup]:
    x, y = axes.x(point.utility), axes.y(point.safety)
    values = f"U {plain(round(point.utility, 4))} · S {plain(round(point.safety, 4))}"
    kind = ("own" if point.mine else "") + ("" if point.published else " draft")
    dot = element(
        "circle",
        element("title", f"{point.team}: {values}"),
        cx=x,
        cy=y,
        r=7 if point.published else 4.5,
        class_=f"dot {kind}".strip(),
    )
    if not point.published or rank is None:
        return [dot]
    name = element("text", rank, x=x, y=y - 12, text_anchor="middle", class_="strong")
    return [dot, name]

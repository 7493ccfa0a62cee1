"""Utility and safety: the nearer to the lower left corner, the better.

plane_chart(points(place, viewer, "cup"), ranks={"Yoru": 1})
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from markupsafe import Markup

from tokumei.contest.desk.board_views import PointView
from tokumei.contest.web.charts.axes import Axes
from tokumei.contest.web.charts.svg import element, picture, plain
from tokumei.core.text import Text

HEIGHT, WIDTH = 340, 280
MOVES = ((0, -16), (0, 16), (15, 0), (-15, 0), (14, -14), (-14, -14), (14, 14), (-14, 14))


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
    ordered = sorted(points, key=lambda point: (point.published, point.mine))
    parts += [_dot(axes, point) for point in ordered]
    parts += _ranks(axes, [point for point in ordered if point.published], ranks)
    about = Text(
        f"{len(points)} releases; the figures of published ones are in the table.",
        f"匿名加工データ {len(points)} 件。公開分の数値は表にあります。",
    )
    title = Text("Utility and safety of the releases", "匿名加工データの有用性と安全性")
    return picture("plane-chart", title, about, parts, height=HEIGHT, width="100%")


def _dot(axes: Axes, point: PointView) -> Markup:
    values = f"U {plain(round(point.utility, 4))} · S {plain(round(point.safety, 4))}"
    kind = ("own" if point.mine else "") + ("" if point.published else " draft")
    return element(
        "circle",
        element("title", f"{point.team}: {values}"),
        cx=axes.x(point.utility),
        cy=axes.y(point.safety),
        r=7 if point.published else 4.5,
        class_=f"dot {kind}".strip(),
    )


def _ranks(
    axes: Axes, points: Sequence[PointView], ranks: Mapping[str, int | None]
) -> list[Markup]:
    """A number at every dot: above it, or where it hides no other dot or number."""
    taken = [_place(axes, point) for point in points]
    names: list[Markup] = []
    for point in points:
        rank = ranks.get(point.team)
        if rank is None:
            continue
        x, y = _place(axes, point)
        dx, dy = next((move for move in MOVES if _free(x + move[0], y + move[1], taken)), MOVES[0])
        taken.append((x + dx, y + dy))
        names.append(
            element(
                "text",
                rank,
                x=axes.x(point.utility),
                y=axes.y(point.safety) + dy + 4,
                dx=dx,
                text_anchor="middle",
                class_="strong",
            )
        )
    return names


def _place(axes: Axes, point: PointView) -> tuple[float, float]:
    """Where a dot lies, in pixels of a plot as wide as on a small screen."""
    share = float(axes.x(point.utility).removesuffix("%")) / 100
    return share * WIDTH, axes.y(point.safety)


def _free(x: float, y: float, taken: Sequence[tuple[float, float]]) -> bool:
    return all(abs(x - other) > 13 or abs(y - down) > 13 for other, down in taken)

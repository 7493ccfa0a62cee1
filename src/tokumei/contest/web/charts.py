"""Drawings as inline SVG: no script, no colours of their own, a table beside each.

plane_chart(points(place, viewer, "cup"), ranks={"Yoru": 1})
history_chart(entries)                         # a team's scores, one release after the other
heat_chart(matrix(place, viewer, "cup"))       # darker where more was found
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from itertools import pairwise

from markupsafe import Markup

from tokumei.contest.desk.entry_views import CellView, EntryView, MatrixView, PointView, ScoreView
from tokumei.contest.web.figures import level, lower
from tokumei.contest.web.svg import Axes, element, percent, picture, plain
from tokumei.core.text import Text

PLANE_HEIGHT, PLANE_WIDTH = 340, 280
MOVES = ((0, -16), (0, 16), (15, 0), (-15, 0), (14, -14), (-14, -14), (14, 14), (-14, 14))
UNDER_TITLE = tuple((float(x), -14.0) for x in range(0, 110, 12))
"""Where the words above the upper left corner of a plane stand."""
SERIES = (
    ("total", Text("Total", "総合"), "line", "best"),
    ("utility", Text("Utility U", "有用性 U"), "line second", ""),
    ("safety", Text("Safety S", "安全性 S"), "line third", "third"),
)
HISTORY_HEIGHT = 240
CELL_HEIGHT, LEFT, TOP = 36, 150, 118
WIDE, NARROW, ROOM = 104, 58, 830
LETTERS = 17


def plane_chart(points: Sequence[PointView], ranks: Mapping[str, int | None]) -> Markup | None:
    """Every release as a dot; published ones carry their team's rank."""
    if not points:
        return None
    axes = Axes.around(
        [point.utility for point in points], [point.safety for point in points], height=PLANE_HEIGHT
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
    return picture("plane-chart", title, about, parts, height=PLANE_HEIGHT, width="100%")


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
    taken = [*(_place(axes, point) for point in points), *UNDER_TITLE]
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
    return share * PLANE_WIDTH, axes.y(point.safety)


def _free(x: float, y: float, taken: Sequence[tuple[float, float]]) -> bool:
    return all(abs(x - other) > 13 or abs(y - down) > 13 for other, down in taken)


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
    axes = Axes.around([0.0, len(scored) - 1.0], values, height=HISTORY_HEIGHT)
    parts = [*axes.levels(Text("score, lower is better", "スコア（小さいほど良い）"))]
    parts += _numbers(len(scored))
    for field, title, line, dot in SERIES:
        parts += _series(axes, [getattr(score, field) for _, score in scored], title, line, dot)
    about = Text(
        f"{len(scored)} scored releases; all figures are in the table.",
        f"採点済み {len(scored)} 件。数値は表にあります。",
    )
    title = Text("Scores of your releases over time", "提出ごとのスコアの推移")
    return picture("history-chart", title, about, parts, height=HISTORY_HEIGHT, width="100%")


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


def _numbers(count: int) -> list[Markup]:
    step = max(1, count // 10)
    return [
        element(
            "text",
            place + 1,
            x=percent(place / (count - 1)),
            y=HISTORY_HEIGHT + 20,
            text_anchor="middle",
            class_="soft",
        )
        for place in range(0, count, step)
    ]


def heat_chart(matrix: MatrixView) -> Markup | None:
    """The whole matrix as a drawing; None where nothing is to be drawn."""
    if not matrix.attackers or not matrix.defenders:
        return None
    width = max(NARROW, min(WIDE, ROOM // len(matrix.defenders)))
    parts = [*_columns(matrix, width), *_rows(matrix)]
    for row, cells in enumerate(matrix.cells):
        for column, cell in enumerate(cells):
            own = matrix.attackers[row] == matrix.defenders[column]
            parts += _cell(cell, own, LEFT + column * width, TOP + row * CELL_HEIGHT, width)
    wide, high = LEFT + len(matrix.defenders) * width, TOP + len(matrix.attackers) * CELL_HEIGHT
    return picture(
        "matrix-chart",
        Text("What each team's attacks found", "各チームの攻撃の結果"),
        Text("All figures are in the table below.", "数値は下の表にあります。"),
        parts,
        width=wide + 90,
        height=high + 4,
    )


def _columns(matrix: MatrixView, width: int) -> list[Markup]:
    names = []
    for column, name in enumerate(matrix.defenders):
        x, y = LEFT + column * width + width // 2 - 4, TOP - 10
        turned = element("title", name), shortened(name)
        names.append(element("text", *turned, x=x, y=y, transform=f"rotate(-42 {x} {y})"))
    return names


def _rows(matrix: MatrixView) -> list[Markup]:
    return [
        element(
            "text",
            element("title", name),
            shortened(name),
            x=LEFT - 10,
            y=TOP + row * CELL_HEIGHT + CELL_HEIGHT // 2 + 4,
            text_anchor="end",
        )
        for row, name in enumerate(matrix.attackers)
    ]


def _cell(cell: CellView | None, own: bool, x: int, y: int, width: int) -> list[Markup]:
    value = lower(cell.found) if cell else None
    dark = level(value)
    box = element(
        "rect",
        x=x + 1,
        y=y + 1,
        width=width - 2,
        height=CELL_HEIGHT - 2,
        rx=5,
        class_="heat-own" if own else "heat-none" if dark is None else f"heat{dark}",
    )
    if value is None or dark is None:
        return [box]
    tone = "on-dark" if dark >= 4 else None
    place = {"x": x + width / 2, "y": y + CELL_HEIGHT / 2 + 4, "text_anchor": "middle"}
    return [box, element("text", f"{value:.3f}".removeprefix("0"), class_=tone, **place)]


def shortened(name: str, most: int = LETTERS) -> str:
    """A name cut to some letters; those of Chinese or Japanese count twice."""
    width = 0
    for place, letter in enumerate(name):
        width += 2 if unicodedata.east_asian_width(letter) in "WF" else 1
        if width > most:
            return name[:place].rstrip() + "…"
    return name

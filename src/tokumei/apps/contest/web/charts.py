"""Charts as inline SVG, without scripts, each with a table.

utility_safety_chart(points(place, viewer, "cup"), ranks={"Yoru": 1})
score_history_chart(entries)                         # a team's scores, one release after the other
attack_matrix_chart(matrix(place, viewer, "cup"))       # darker where more was found
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from itertools import pairwise

from markupsafe import Markup

from tokumei.apps.contest.services.entry_views import (
    EntryView,
    MatrixCellView,
    MatrixView,
    PointView,
    ScoreView,
)
from tokumei.apps.contest.web.formatting import heat_level, lower_bound
from tokumei.core.messages import Message
from tokumei.pages.svg import PlotAxes, format_number, format_percent, svg_element, svg_picture

PLANE_HEIGHT, PLANE_WIDTH = 340, 280
LABEL_OFFSETS = ((0, -16), (0, 16), (15, 0), (-15, 0), (14, -14), (-14, -14), (14, 14), (-14, 14))
TITLE_SPOTS = tuple((float(x), -14.0) for x in range(0, 110, 12))
"""Where the words above the upper left corner of a plane stand."""
SCORE_SERIES = (
    ("total", Message("Total"), "line", "best"),
    ("utility", Message("Utility U"), "line second", ""),
    ("safety", Message("Safety S"), "line third", "third"),
)
HISTORY_HEIGHT = 240
CELL_HEIGHT, LEFT_MARGIN, TOP_MARGIN = 36, 150, 118
WIDEST_CELL, NARROWEST_CELL, CELLS_WIDTH = 104, 58, 830
MOST_LETTERS = 17


def utility_safety_chart(
    points: Sequence[PointView], ranks: Mapping[str, int | None]
) -> Markup | None:
    """Every release as a dot; published ones carry their team's rank."""
    if not points:
        return None
    axes = PlotAxes.around(
        [point.utility for point in points], [point.safety for point in points], height=PLANE_HEIGHT
    )
    parts = [
        *axes.levels(Message("Safety S ↓ better")),
        *axes.columns(Message("← better · Utility U")),
    ]
    ordered = sorted(points, key=lambda point: (point.published, point.mine))
    parts += [_draw_dot(axes, point) for point in ordered]
    parts += _rank_labels(axes, [point for point in ordered if point.published], ranks)
    about = Message(
        "{count} release; the figures of published ones are in the table.",
        plural="{count} releases; the figures of published ones are in the table.",
        count=len(points),
    )
    title = Message("Utility and safety of the releases")
    return svg_picture("plane-chart", title, about, parts, height=PLANE_HEIGHT, width="100%")


def _draw_dot(axes: PlotAxes, point: PointView) -> Markup:
    values = (
        f"U {format_number(round(point.utility, 4))} · S {format_number(round(point.safety, 4))}"
    )
    kind = ("own" if point.mine else "") + ("" if point.published else " draft")
    return svg_element(
        "circle",
        svg_element("title", f"{point.team}: {values}"),
        cx=axes.x(point.utility),
        cy=axes.y(point.safety),
        r=7 if point.published else 4.5,
        class_=f"dot {kind}".strip(),
    )


def _rank_labels(
    axes: PlotAxes, points: Sequence[PointView], ranks: Mapping[str, int | None]
) -> list[Markup]:
    """A number at every dot: above it, or where it hides no other dot or number."""
    occupied = [*(_dot_position(axes, point) for point in points), *TITLE_SPOTS]
    labels: list[Markup] = []
    for point in points:
        rank = ranks.get(point.team)
        if rank is None:
            continue
        x, y = _dot_position(axes, point)
        dx, dy = next(
            (
                offset
                for offset in LABEL_OFFSETS
                if _is_free_spot(x + offset[0], y + offset[1], occupied)
            ),
            LABEL_OFFSETS[0],
        )
        occupied.append((x + dx, y + dy))
        labels.append(
            svg_element(
                "text",
                rank,
                x=axes.x(point.utility),
                y=axes.y(point.safety) + dy + 4,
                dx=dx,
                text_anchor="middle",
                class_="strong",
            )
        )
    return labels


def _dot_position(axes: PlotAxes, point: PointView) -> tuple[float, float]:
    """Where a dot lies, in pixels of a plot as wide as on a small screen."""
    share = float(axes.x(point.utility).removesuffix("%")) / 100
    return share * PLANE_WIDTH, axes.y(point.safety)


def _is_free_spot(x: float, y: float, occupied: Sequence[tuple[float, float]]) -> bool:
    return all(abs(x - taken_x) > 13 or abs(y - taken_y) > 13 for taken_x, taken_y in occupied)


def score_history_chart(entries: Sequence[EntryView]) -> Markup | None:
    """The figures of all scored releases, the oldest on the left."""
    scored = [
        (entry, entry.score)
        for entry in sorted(entries, key=lambda entry: entry.received_at)
        if entry.kind == "release" and entry.score is not None and entry.state == "scored"
    ]
    values = [v for _, score in scored for v in _score_values(score) if v is not None]
    if len(scored) < 2 or not values:
        return None
    axes = PlotAxes.around([0.0, len(scored) - 1.0], values, height=HISTORY_HEIGHT)
    parts = [*axes.levels(Message("score, lower is better"))]
    parts += _release_numbers(len(scored))
    for field, title, line, dot in SCORE_SERIES:
        parts += _draw_series(
            axes, [getattr(score, field) for _, score in scored], title, line, dot
        )
    about = Message(
        "{releases} scored releases; all figures are in the table.", releases=len(scored)
    )
    title = Message("Scores of your releases over time")
    return svg_picture("history-chart", title, about, parts, height=HISTORY_HEIGHT, width="100%")


def _score_values(score: ScoreView) -> list[float | None]:
    return [getattr(score, field) for field, *_ in SCORE_SERIES]


def _draw_series(
    axes: PlotAxes, values: Sequence[float | None], title: Message, line: str, dot: str
) -> list[Markup]:
    last = len(values) - 1
    points = [(index / last, value) for index, value in enumerate(values) if value is not None]
    lines = [
        svg_element(
            "line",
            x1=format_percent(x1),
            y1=axes.y(y1),
            x2=format_percent(x2),
            y2=axes.y(y2),
            class_=line,
        )
        for (x1, y1), (x2, y2) in pairwise(points)
    ]
    dots = [
        svg_element(
            "circle",
            svg_element("title", f"{title.show()} {format_number(round(y, 4))}"),
            cx=format_percent(x),
            cy=axes.y(y),
            r=4,
            class_=f"dot {dot}",
        )
        for x, y in points
    ]
    return [*lines, *dots]


def _release_numbers(count: int) -> list[Markup]:
    step = max(1, count // 10)
    return [
        svg_element(
            "text",
            index + 1,
            x=format_percent(index / (count - 1)),
            y=HISTORY_HEIGHT + 20,
            text_anchor="middle",
            class_="soft",
        )
        for index in range(0, count, step)
    ]


def attack_matrix_chart(matrix: MatrixView) -> Markup | None:
    """The whole matrix as a drawing; None where nothing is to be drawn."""
    if not matrix.attackers or not matrix.defenders:
        return None
    width = max(NARROWEST_CELL, min(WIDEST_CELL, CELLS_WIDTH // len(matrix.defenders)))
    parts = [*_column_labels(matrix, width), *_row_labels(matrix)]
    for row, cells in enumerate(matrix.cells):
        for column, cell in enumerate(cells):
            own = matrix.attackers[row] == matrix.defenders[column]
            parts += _draw_cell(
                cell, own, LEFT_MARGIN + column * width, TOP_MARGIN + row * CELL_HEIGHT, width
            )
    wide, high = (
        LEFT_MARGIN + len(matrix.defenders) * width,
        TOP_MARGIN + len(matrix.attackers) * CELL_HEIGHT,
    )
    return svg_picture(
        "matrix-chart",
        Message("What each team's attacks found"),
        Message("All figures are in the table below."),
        parts,
        width=wide + 90,
        height=high + 4,
    )


def _column_labels(matrix: MatrixView, width: int) -> list[Markup]:
    labels = []
    for column, name in enumerate(matrix.defenders):
        x, y = LEFT_MARGIN + column * width + width // 2 - 4, TOP_MARGIN - 10
        label_parts = svg_element("title", name), shorten_name(name)
        labels.append(svg_element("text", *label_parts, x=x, y=y, transform=f"rotate(-42 {x} {y})"))
    return labels


def _row_labels(matrix: MatrixView) -> list[Markup]:
    return [
        svg_element(
            "text",
            svg_element("title", name),
            shorten_name(name),
            x=LEFT_MARGIN - 10,
            y=TOP_MARGIN + row * CELL_HEIGHT + CELL_HEIGHT // 2 + 4,
            text_anchor="end",
        )
        for row, name in enumerate(matrix.attackers)
    ]


def _draw_cell(cell: MatrixCellView | None, own: bool, x: int, y: int, width: int) -> list[Markup]:
    value = lower_bound(cell.found) if cell else None
    darkness = heat_level(value)
    box = svg_element(
        "rect",
        x=x + 1,
        y=y + 1,
        width=width - 2,
        height=CELL_HEIGHT - 2,
        rx=5,
        class_="heat-own" if own else "heat-none" if darkness is None else f"heat{darkness}",
    )
    if value is None or darkness is None:
        return [box]
    tone = "on-dark" if darkness >= 4 else None
    position = {"x": x + width / 2, "y": y + CELL_HEIGHT / 2 + 4, "text_anchor": "middle"}
    return [box, svg_element("text", f"{value:.3f}".removeprefix("0"), class_=tone, **position)]


def shorten_name(name: str, most: int = MOST_LETTERS) -> str:
    """A name cut to some letters; those of Chinese or Japanese count twice."""
    width = 0
    for index, letter in enumerate(name):
        width += 2 if unicodedata.east_asian_width(letter) in "WF" else 1
        if width > most:
            return name[:index].rstrip() + "…"
    return name

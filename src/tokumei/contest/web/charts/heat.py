"""Attackers × defenders, darker where more was found.

heat_chart(matrix(place, viewer, "cup"))
"""

from __future__ import annotations

import unicodedata

from markupsafe import Markup

from tokumei.contest.desk.board_views import CellView, MatrixView
from tokumei.contest.web.charts.svg import element, picture
from tokumei.contest.web.figures import level, lower
from tokumei.core.text import Text

HEIGHT, LEFT, TOP = 36, 150, 118
WIDE, NARROW, ROOM = 104, 58, 830
LETTERS = 17


def heat_chart(matrix: MatrixView) -> Markup | None:
    """The whole matrix as a drawing; None where nothing is to be drawn."""
    if not matrix.attackers or not matrix.defenders:
        return None
    width = max(NARROW, min(WIDE, ROOM // len(matrix.defenders)))
    parts = [*_columns(matrix, width), *_rows(matrix)]
    for row, cells in enumerate(matrix.cells):
        for column, cell in enumerate(cells):
            own = matrix.attackers[row] == matrix.defenders[column]
            parts += _cell(cell, own, LEFT + column * width, TOP + row * HEIGHT, width)
    wide, high = LEFT + len(matrix.defenders) * width, TOP + len(matrix.attackers) * HEIGHT
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
            y=TOP + row * HEIGHT + HEIGHT // 2 + 4,
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
        height=HEIGHT - 2,
        rx=5,
        class_="heat-own" if own else "heat-none" if dark is None else f"heat{dark}",
    )
    if value is None or dark is None:
        return [box]
    tone = "on-dark" if dark >= 4 else None
    place = {"x": x + width / 2, "y": y + HEIGHT / 2 + 4, "text_anchor": "middle"}
    return [box, element("text", f"{value:.3f}".removeprefix("0"), class_=tone, **place)]


def shortened(name: str, most: int = LETTERS) -> str:
    """A name cut to some letters; those of Chinese or Japanese count twice."""
    width = 0
    for place, letter in enumerate(name):
        width += 2 if unicodedata.east_asian_width(letter) in "WF" else 1
        if width > most:
            return name[:place].rstrip() + "…"
    return name

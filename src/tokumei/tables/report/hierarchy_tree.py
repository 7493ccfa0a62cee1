"""A picture of a hierarchy: `*` on the left, leaves on the right, each node as tall as its leaves.

    Path("age.svg").write_text(hierarchy_tree_svg(hierarchy, counts, lang="ja"), encoding="utf-8")
    page = hierarchy_tree_page(hierarchy, counts)

Self-contained, without scripts. With `counts` (rows per leaf) darker nodes hold more rows. Where
there are too many leaves, some are replaced by "+ 61 more". In a report (`trees_of`) no value is
named that few rows of the original have.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any
from unicodedata import east_asian_width

import numpy as np
import polars as pl
from markupsafe import Markup

from tokumei.core.errors import InputError
from tokumei.core.text import Language, Text, current_language
from tokumei.report.palette import FONT, HEAT, INK, MUTED
from tokumei.tables.data.table import Table
from tokumei.tables.hierarchies.choose import choose_hierarchies
from tokumei.tables.hierarchies.hierarchy import Hierarchy
from tokumei.tables.hierarchies.outline import MOST, Line, outline, row_counts

ROW, HEAD, PAD, MARGIN = 20, 44, 8, 12
LETTER = 7.0
DARKEST = 0.6
WIDEST, NARROWEST = 380.0, 64.0
_PLAIN = ("#dfe7f5", "#eaf0f9", "#f4f7fc")
_HIDDEN = "#fafbfd"
_EDGE = "#ccd5e5"


def hierarchy_tree_svg(
    hierarchy: Hierarchy,
    counts: np.ndarray | None = None,
    lang: Language | None = None,
    *,
    most: int = MOST,
) -> str:
    """The picture as one SVG element."""
    lang = lang or current_language()
    lines = outline(hierarchy, counts=counts, most=most)
    widths = _widths(hierarchy, lines, lang)
    wide = sum(widths) + 2 * MARGIN
    tall = HEAD + lines[0].span * ROW + MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide:g}" height="{tall:g}" '
        f'viewBox="0 0 {wide:g} {tall:g}" role="img" aria-label="{_safe(_title(hierarchy, lang))}" '
        f"font-family='{FONT}' font-size=\"12\">",
        f'<rect width="{wide:g}" height="{tall:g}" fill="#ffffff"/>',
        *_heads(hierarchy, widths, lang),
        *_boxes(lines, widths, lang),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def hierarchy_tree_page(
    hierarchy: Hierarchy, counts: np.ndarray | None = None, lang: Language | None = None
) -> str:
    """The picture in an HTML page of its own, with a sentence that says what it shows."""
    lang = lang or current_language()
    title = _safe(_title(hierarchy, lang))
    return (
        f'<!doctype html>\n<html lang="{lang}">\n<head>\n<meta charset="utf-8">\n'
        '<meta http-equiv="Content-Security-Policy" '
        "content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>body{{margin:2rem;color:{INK};font-family:{FONT}}}"
        f"h1{{font-size:1.3rem}}p{{color:{MUTED};max-width:46rem;line-height:1.6}}"
        ".tree{overflow-x:auto}</style>\n</head>\n<body>\n"
        f"<h1>{title}</h1>\n<p>{_safe(_summary(hierarchy, counts, lang))}</p>\n"
        f'<div class="tree">\n{hierarchy_tree_svg(hierarchy, counts, lang)}</div>\n'
        "</body>\n</html>\n"
    )


def _title(hierarchy: Hierarchy, lang: Language) -> str:
    name = hierarchy.column
    return Text(f"Hierarchy of {name}", f"{name} の階層").show(lang)


def _summary(hierarchy: Hierarchy, counts: np.ndarray | None, lang: Language) -> str:
    leaves, height = len(hierarchy.leaves), hierarchy.height
    text = Text(
        f"{leaves:,} values, generalized in {height} step(s) from right to left, up to *.",
        f"{leaves:,} 種の値を、右から左へ {height} 段で * まで一般化します。",
    )
    if counts is None:
        return text.show(lang)
    rows = int(np.sum(counts))
    more = Text(
        f" {rows:,} rows; the darker a box, the more rows it holds.",
        f"全 {rows:,} 行。色が濃いほど多くの行を含みます。",
    )
    return text.show(lang) + more.show(lang)


def _boxes(lines: Sequence[Line], widths: Sequence[float], lang: Language) -> Iterator[str]:
    """Each line right of its parent; below it starts where the ends before it stop."""
    total, ends = lines[0].rows or 0, 0
    for place, line in enumerate(lines):
        left = MARGIN + sum(widths[: line.depth])
        # What is not shown has no parts to its right.
        width = sum(widths[line.depth :]) if line.more else widths[line.depth]
        yield _box(line, left, HEAD + ends * ROW, width, total, lang)
        later = lines[place + 1].depth if place + 1 < len(lines) else 0
        if later <= line.depth:
            ends += 1


def _widths(hierarchy: Hierarchy, lines: Sequence[Line], lang: Language) -> list[float]:
    """The width of each column, from its longest texts."""
    found = [NARROWEST] * (hierarchy.height + 1)
    for line in lines:
        need = _length(_label(line, lang)) + _length(_figure(line)) + 3 * PAD
        found[line.depth] = min(max(found[line.depth], need), WIDEST)
    heads = (_head(hierarchy, depth, lang) for depth in range(len(found)))
    return [max(w, _length(h[0]), _length(h[1]) + PAD) for w, h in zip(found, heads, strict=True)]


def _head(hierarchy: Hierarchy, depth: int, lang: Language) -> tuple[str, str]:
    level = hierarchy.height - depth
    nodes = len(hierarchy.names[level])
    name = Text(f"Level {level}", f"第 {level} 段") if level else Text("Values", "値")
    return name.show(lang), f"{nodes:,}"


def _heads(hierarchy: Hierarchy, widths: Sequence[float], lang: Language) -> list[str]:
    parts, left = [], float(MARGIN)
    for depth, width in enumerate(widths):
        name, nodes = _head(hierarchy, depth, lang)
        parts.append(_text(left + 2, 18, name, INK, bold=True))
        parts.append(_text(left + 2, 34, nodes, MUTED))
        left += width
    return parts


def _box(line: Line, left: float, top: float, width: float, total: int, lang: Language) -> str:
    fill, ink = _colours(line, total)
    figure, label = _figure(line), _label(line, lang)
    room = width - 3 * PAD - _length(figure)
    rect = (
        f'<rect x="{left:g}" y="{top:g}" width="{width:g}" height="{line.span * ROW:g}" '
        f'fill="{fill}" stroke="{"#ffffff" if total else _EDGE}"/>'
    )
    full = f"{label} · {figure}" if figure else label
    texts = _text(left + PAD, top + 14, _cut(label, room), ink)
    if figure:
        texts += _text(left + width - PAD, top + 14, figure, ink, end=True)
    return f"<g><title>{_safe(full)}</title>{rect}{texts}</g>"


def _colours(line: Line, total: int) -> tuple[str, str]:
    if line.rows is None or not total:
        return (_HIDDEN if line.more else _PLAIN[min(line.depth, 2)]), (MUTED if line.more else INK)
    # The root makes small shares visible; beyond `DARKEST` text would be hard to read.
    share = DARKEST * (line.rows / total) ** 0.5
    ends = [[int(colour[i : i + 2], 16) for i in (1, 3, 5)] for colour in HEAT]
    mixed = [round(low + (high - low) * share) for low, high in zip(*ends, strict=True)]
    return "#" + "".join(f"{part:02x}" for part in mixed), INK


def _label(line: Line, lang: Language) -> str:
    if line.more:
        return Text(f"+ {line.more:,} more", f"ほか {line.more:,} 個").show(lang)
    return line.label or Text("(empty)", "(空)").show(lang)


def _figure(line: Line) -> str:
    return "" if line.rows is None else f"{line.rows:,}"


def _length(text: str) -> float:
    return sum(12.2 if east_asian_width(char) in "WF" else LETTER for char in text)


def _cut(text: str, room: float) -> str:
    if _length(text) <= room:
        return text
    while text and _length(text) + LETTER * 1.5 > room:
        text = text[:-1]
    return text + "…"


def _text(
    x: float, y: float, text: str, colour: str, *, bold: bool = False, end: bool = False
) -> str:
    extra = (' font-weight="600"' if bold else "") + (' text-anchor="end"' if end else "")
    return f'<text x="{x:g}" y="{y:g}" fill="{colour}"{extra}>{_safe(text)}</text>'


def _safe(text: str) -> str:
    """Text for XML, without the control characters that it cannot hold."""
    return escape("".join(char if char >= " " else " " for char in text))


MOST_LINES = 14
LANGUAGES: tuple[Language, ...] = ("en", "ja")
FEW_ROWS = 5


@dataclass(frozen=True)
class Tree:
    """A column's hierarchy as a picture in each language."""

    column: str
    en: Markup
    ja: Markup


def trees_of(steps: Sequence[Mapping[str, Any]], original: Table) -> list[Tree] | None:
    """A tree per QI that has one; None if their files cannot be read any more."""
    given = next((step["hierarchies"] for step in steps if step.get("hierarchies")), None)
    qi = original.schema.qi
    if isinstance(given, Mapping):
        qi = [name for name in qi if name in given]
    if given is None or not qi:
        return []
    try:
        chosen = choose_hierarchies(given, original.frame, qi)
    except InputError:
        return None
    found = []
    for name in qi:
        shown = discreet(chosen[name], original.frame[name])
        en, ja = (hierarchy_tree_svg(shown, lang=lang, most=MOST_LINES) for lang in LANGUAGES)
        found.append(Tree(name, Markup(en), Markup(ja)))
    return found


def discreet(hierarchy: Hierarchy, values: pl.Series) -> Hierarchy:
    """The same tree, nodes with few rows without their names."""
    rows = row_counts(hierarchy, values)
    names = []
    for level, labels in enumerate(hierarchy.names):
        under = np.bincount(hierarchy.up[level], weights=rows, minlength=len(labels))
        names.append(labels.set(pl.Series(under < FEW_ROWS), "…"))
    return Hierarchy(hierarchy.column, tuple(names), hierarchy.up)

"""Draws a hierarchy: `*` on the left, leaves on the right.

    Path("age.svg").write_text(hierarchy_tree_svg(hierarchy, counts, lang="ja"), encoding="utf-8")
    page = hierarchy_tree_page(hierarchy, counts)

Self-contained, without scripts. With `counts` (rows per leaf) darker nodes hold more rows. Where
there are too many leaves, some are replaced by "+ 61 more". In a report (`hierarchy_pictures`) no
value is named that few rows of the original have.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from unicodedata import east_asian_width

import numpy as np
import polars as pl
from markupsafe import Markup, escape

from tokumei.core.catalogs import available_languages
from tokumei.core.errors import InputError
from tokumei.core.language import Language, current_language
from tokumei.core.messages import Message, join_sentences
from tokumei.pages.palette import FONT, HEAT, INK, MUTED
from tokumei.pages.svg import svg_element
from tokumei.tables.data.table import Table
from tokumei.tables.hierarchies.choose import choose_hierarchies
from tokumei.tables.hierarchies.hierarchy import Hierarchy
from tokumei.tables.hierarchies.outline import MAX_ENDS, OutlineLine, count_leaf_rows, outline

ROW_HEIGHT, HEAD_HEIGHT, PADDING, MARGIN = 20, 44, 8, 12
LETTER_WIDTH = 7.0
DARKEST_SHARE = 0.6
MAX_WIDTH, MIN_WIDTH = 380.0, 64.0
_DEPTH_COLOURS = ("#dfe7f5", "#eaf0f9", "#f4f7fc")
_HIDDEN_COLOUR = "#fafbfd"
_EDGE_COLOUR = "#ccd5e5"


def hierarchy_tree_svg(
    hierarchy: Hierarchy,
    counts: np.ndarray | None = None,
    lang: Language | None = None,
    *,
    most: int = MAX_ENDS,
) -> Markup:
    """The picture as one SVG element."""
    lang = lang or current_language()
    lines = outline(hierarchy, counts=counts, most=most)
    widths = _column_widths(hierarchy, lines, lang)
    wide = sum(widths) + 2 * MARGIN
    tall = HEAD_HEIGHT + lines[0].span * ROW_HEIGHT + MARGIN
    parts = [
        svg_element("rect", width=wide, height=tall, fill="#ffffff"),
        *_heading_elements(hierarchy, widths, lang),
        *_box_elements(lines, widths, lang),
    ]
    picture = svg_element(
        "svg",
        Markup("\n"),
        *(part + "\n" for part in parts),
        xmlns="http://www.w3.org/2000/svg",
        width=wide,
        height=tall,
        viewBox=f"0 0 {wide:g} {tall:g}",
        role="img",
        aria_label=_tree_title(hierarchy, lang),
        font_family=FONT,
        font_size=12,
    )
    return picture + "\n"


def hierarchy_tree_page(
    hierarchy: Hierarchy, counts: np.ndarray | None = None, lang: Language | None = None
) -> str:
    """The picture in an HTML page of its own, with a sentence that says what it shows."""
    lang = lang or current_language()
    title = escape(_tree_title(hierarchy, lang))
    return (
        f'<!doctype html>\n<html lang="{lang}">\n<head>\n<meta charset="utf-8">\n'
        '<meta http-equiv="Content-Security-Policy" '
        "content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>body{{margin:2rem;color:{INK};font-family:{FONT}}}"
        f"h1{{font-size:1.3rem}}p{{color:{MUTED};max-width:46rem;line-height:1.6}}"
        ".tree{overflow-x:auto}</style>\n</head>\n<body>\n"
        f"<h1>{title}</h1>\n<p>{escape(_tree_summary(hierarchy, counts, lang))}</p>\n"
        f'<div class="tree">\n{hierarchy_tree_svg(hierarchy, counts, lang)}</div>\n'
        "</body>\n</html>\n"
    )


def _tree_title(hierarchy: Hierarchy, lang: Language) -> str:
    name = hierarchy.column
    return Message("Hierarchy of {name}", name=name).show(lang)


def _tree_summary(hierarchy: Hierarchy, counts: np.ndarray | None, lang: Language) -> str:
    sentences = [
        Message(
            "{values:,} values, generalized in {count} step from right to left, up to *.",
            plural="{values:,} values, generalized in {count} steps from right to left, up to *.",
            count=hierarchy.height,
            values=len(hierarchy.leaves),
        )
    ]
    if counts is not None:
        rows = int(np.sum(counts))
        sentences.append(
            Message("{rows:,} rows; the darker a box, the more rows it holds.", rows=rows)
        )
    return join_sentences(sentences).show(lang)


def _box_elements(
    lines: Sequence[OutlineLine], widths: Sequence[float], lang: Language
) -> Iterator[Markup]:
    """Each line right of its parent; below it starts where the ends before it stop."""
    total, ends = lines[0].rows or 0, 0
    for index, line in enumerate(lines):
        left = MARGIN + sum(widths[: line.depth])
        # What is not shown has no parts to its right.
        width = sum(widths[line.depth :]) if line.more else widths[line.depth]
        yield _box_element(line, left, HEAD_HEIGHT + ends * ROW_HEIGHT, width, total, lang)
        next_depth = lines[index + 1].depth if index + 1 < len(lines) else 0
        if next_depth <= line.depth:
            ends += 1


def _column_widths(
    hierarchy: Hierarchy, lines: Sequence[OutlineLine], lang: Language
) -> list[float]:
    """The width of each column, from its longest texts."""
    needed = [MIN_WIDTH] * (hierarchy.height + 1)
    for line in lines:
        text_width = (
            _text_length(_line_label(line, lang))
            + _text_length(_row_count_text(line))
            + 3 * PADDING
        )
        needed[line.depth] = min(max(needed[line.depth], text_width), MAX_WIDTH)
    heads = (_column_heading(hierarchy, depth, lang) for depth in range(len(needed)))
    return [
        max(w, _text_length(h[0]), _text_length(h[1]) + PADDING)
        for w, h in zip(needed, heads, strict=True)
    ]


def _column_heading(hierarchy: Hierarchy, depth: int, lang: Language) -> tuple[str, str]:
    level = hierarchy.height - depth
    nodes = len(hierarchy.names[level])
    name = Message("Level {level}", level=level) if level else Message("Values")
    return name.show(lang), f"{nodes:,}"


def _heading_elements(
    hierarchy: Hierarchy, widths: Sequence[float], lang: Language
) -> list[Markup]:
    parts, left = [], float(MARGIN)
    for depth, width in enumerate(widths):
        name, nodes = _column_heading(hierarchy, depth, lang)
        parts.append(_text_element(left + 2, 18, name, INK, font_weight=600))
        parts.append(_text_element(left + 2, 34, nodes, MUTED))
        left += width
    return parts


def _box_element(
    line: OutlineLine, left: float, top: float, width: float, total: int, lang: Language
) -> Markup:
    fill, ink = _box_colours(line, total)
    figure, label = _row_count_text(line), _line_label(line, lang)
    room = width - 3 * PADDING - _text_length(figure)
    box = svg_element(
        "rect",
        x=left,
        y=top,
        width=width,
        height=line.span * ROW_HEIGHT,
        fill=fill,
        stroke="#ffffff" if total else _EDGE_COLOUR,
    )
    title = svg_element("title", f"{label} · {figure}" if figure else label)
    texts = [_text_element(left + PADDING, top + 14, _shorten_text(label, room), ink)]
    if figure:
        texts.append(
            _text_element(left + width - PADDING, top + 14, figure, ink, text_anchor="end")
        )
    return svg_element("g", title, box, *texts)


def _box_colours(line: OutlineLine, total: int) -> tuple[str, str]:
    if line.rows is None or not total:
        return (_HIDDEN_COLOUR if line.more else _DEPTH_COLOURS[min(line.depth, 2)]), (
            MUTED if line.more else INK
        )
    # The root makes small shares visible; beyond `DARKEST_SHARE` text would be hard to read.
    share = DARKEST_SHARE * (line.rows / total) ** 0.5
    ends = [[int(colour[i : i + 2], 16) for i in (1, 3, 5)] for colour in HEAT]
    mixed = [round(low + (high - low) * share) for low, high in zip(*ends, strict=True)]
    return "#" + "".join(f"{part:02x}" for part in mixed), INK


def _line_label(line: OutlineLine, lang: Language) -> str:
    if line.more:
        return Message("+ {more:,} more", more=line.more).show(lang)
    return line.label or Message("(empty)").show(lang)


def _row_count_text(line: OutlineLine) -> str:
    return "" if line.rows is None else f"{line.rows:,}"


def _text_length(text: str) -> float:
    return sum(12.2 if east_asian_width(char) in "WF" else LETTER_WIDTH for char in text)


def _shorten_text(text: str, room: float) -> str:
    if _text_length(text) <= room:
        return text
    while text and _text_length(text) + LETTER_WIDTH * 1.5 > room:
        text = text[:-1]
    return text + "…"


def _text_element(x: float, y: float, text: str, colour: str, **more: object) -> Markup:
    return svg_element("text", text, x=x, y=y, fill=colour, **more)


MAX_LINES = 14
FEW_ROWS = 5


@dataclass(frozen=True)
class HierarchyPicture:
    """A column's hierarchy as a picture in each language."""

    column: str
    by_language: Mapping[Language, Markup]


def hierarchy_pictures(
    steps: Sequence[Mapping[str, object]], original: Table
) -> list[HierarchyPicture] | None:
    """A tree per QI that has one; None if their files cannot be read any more."""
    sources = next((step["hierarchies"] for step in steps if step.get("hierarchies")), None)
    qi = original.schema.qi
    if isinstance(sources, Mapping):
        qi = [name for name in qi if name in sources]
    if not isinstance(sources, str | Mapping) or not qi:
        return []
    try:
        chosen = choose_hierarchies(sources, original.frame, qi)
    except InputError:
        return None
    pictures = []
    for name in qi:
        discreet_tree = hide_rare_names(chosen[name], original.frame[name])
        by_language = {
            lang: hierarchy_tree_svg(discreet_tree, lang=lang, most=MAX_LINES)
            for lang in available_languages()
        }
        pictures.append(HierarchyPicture(name, by_language))
    return pictures


def hide_rare_names(hierarchy: Hierarchy, values: pl.Series) -> Hierarchy:
    """The same tree, nodes with few rows without their names."""
    rows = count_leaf_rows(hierarchy, values)
    names = []
    for level, labels in enumerate(hierarchy.names):
        rows_below = np.bincount(hierarchy.up[level], weights=rows, minlength=len(labels))
        names.append(labels.set(pl.Series(rows_below < FEW_ROWS), "…"))
    return Hierarchy(hierarchy.column, tuple(names), hierarchy.up)

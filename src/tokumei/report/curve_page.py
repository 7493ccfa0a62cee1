"""One HTML page about curves: a verdict, charts with their tables, and what to keep in mind.

    page = CurvePage(title, headline, detail, figures, facts, sections, cautions)
    Path("report.html").write_text(render_curves(page, lang="ja"), encoding="utf-8")

It works offline, in English and Japanese. Pages hold figures only: no customer, no item, no seed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import altair as alt
import polars as pl
import vl_convert

from tokumei.core.text import Language, Text, as_json_text, current_language
from tokumei.files.atomic import Output
from tokumei.files.writing import frame_output, text_output
from tokumei.report.html import chart_payload, render_page
from tokumei.report.palette import Rows, alone
from tokumei.report.words import Caution, KeyFigure

Build = Callable[[Rows, Language], alt.LayerChart]


@dataclass(frozen=True)
class Panel:
    """A chart: its rows, how it is built from them in a language, and its words."""

    name: str
    heading: Text
    label: Text
    rows: Sequence[dict[str, Any]]
    build: Build
    note: Text | None = None

    def alone(self, lang: Language) -> alt.LayerChart:
        """The chart outside a page: a fixed width and the house style."""
        return alone(self.build(alt.InlineData(values=list(self.rows)), lang))


@dataclass(frozen=True)
class Cell:
    """A figure of a table, with what stands small below it."""

    text: str
    below: str = ""


@dataclass(frozen=True)
class Grid:
    """A table of figures, a line per name; `chosen` lines are shaded."""

    caption: Text
    header: Sequence[Text]
    lines: Sequence[tuple[Text, Sequence[Cell]]]
    chosen: Sequence[int] = ()


@dataclass(frozen=True)
class Section:
    """A part of the page: charts side by side, then a table."""

    name: str
    title: Text
    intro: Text
    panels: Sequence[Panel] = ()
    grid: Grid | None = None
    note: Text | None = None


@dataclass(frozen=True)
class CurvePage:
    """Everything on the page."""

    title: Text
    headline: Text
    detail: Text
    facts: Text
    figures: Sequence[KeyFigure]
    sections: Sequence[Section]
    cautions: Sequence[Caution]

    @property
    def panels(self) -> list[Panel]:
        """All charts."""
        return [panel for section in self.sections for panel in section.panels]


def render_curves(page: CurvePage, *, lang: Language = "en") -> str:
    """The page as HTML, opening in `lang`."""
    return render_page(
        "curves/page.html",
        lang=lang,
        title=page.title,
        data=chart_payload(
            {panel.name: panel.build for panel in page.panels},
            {panel.name: list(panel.rows) for panel in page.panels},
        ),
        styles=["curves/common.css", "curves/curves.css"],
        page=page,
    )


def curve_outputs(
    name: str, figures: pl.DataFrame, told: Any, page: CurvePage, folder: str | Path
) -> list[Output]:
    """NAME.csv, NAME.json, a picture per chart and report.html, not yet written."""
    place = Path(folder)
    return [
        frame_output(figures, place / f"{name}.csv"),
        text_output(as_json_text(told), place / f"{name}.json"),
        *page_outputs(page, place),
    ]


def page_outputs(page: CurvePage, folder: Path) -> list[Output]:
    """The page and every chart as SVG, for `write_all`, in the language in force."""
    lang = current_language()
    pictures = {
        f"{panel.name}.svg": str(vl_convert.vegalite_to_svg(panel.alone(lang).to_json()))
        for panel in page.panels
    }
    texts = {"report.html": render_curves(page, lang=lang), **pictures}
    return [text_output(text, folder / name) for name, text in texts.items()]

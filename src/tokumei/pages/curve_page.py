"""Renders a page about curves: verdict, charts with tables, cautions.

    page = CurvePage(title, headline, detail, figures, facts, sections, cautions)
    Path("report.html").write_text(render_curve_page(page, lang="ja"), encoding="utf-8")

It works offline, in every language. Pages hold figures only: no customer, no item, no seed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import altair as alt
import polars as pl
import vl_convert

from tokumei.core.json_types import as_json_text
from tokumei.core.language import Language, current_language
from tokumei.core.messages import Message
from tokumei.files.atomic_write import Output
from tokumei.files.writing import frame_output, text_output
from tokumei.pages.html import chart_payload, render_page
from tokumei.pages.page_parts import Caution, KeyFigure
from tokumei.pages.palette import ChartRows, style_standalone_chart

BuildChart = Callable[[ChartRows, Language], alt.LayerChart]


@dataclass(frozen=True)
class ChartPanel:
    """A chart: its rows, how it is built from them in a language, and its words."""

    name: str
    heading: Message
    label: Message
    rows: Sequence[Mapping[str, object]]
    build: BuildChart
    note: Message | None = None

    def alone(self, lang: Language) -> alt.LayerChart:
        """The chart outside a page: a fixed width and the house style."""
        return style_standalone_chart(self.build(alt.InlineData(values=list(self.rows)), lang))


@dataclass(frozen=True)
class FigureCell:
    """A figure of a table, with what stands small below it."""

    text: str
    below: str = ""


@dataclass(frozen=True)
class FigureGrid:
    """A table of figures, a line per name; `chosen` lines are shaded."""

    caption: Message
    header: Sequence[Message]
    lines: Sequence[tuple[Message, Sequence[FigureCell]]]
    chosen: Sequence[int] = ()


@dataclass(frozen=True)
class PageSection:
    """A part of the page: charts side by side, then a table."""

    name: str
    title: Message
    intro: Message
    panels: Sequence[ChartPanel] = ()
    grid: FigureGrid | None = None
    note: Message | None = None


@dataclass(frozen=True)
class CurvePage:
    """Everything on the page."""

    title: Message
    headline: Message
    detail: Message
    facts: Message
    figures: Sequence[KeyFigure]
    sections: Sequence[PageSection]
    cautions: Sequence[Caution]

    @property
    def panels(self) -> list[ChartPanel]:
        """All charts."""
        return [panel for section in self.sections for panel in section.panels]


def render_curve_page(page: CurvePage, *, lang: Language = "en") -> str:
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
    name: str, figures: pl.DataFrame, json_data: object, page: CurvePage, folder: str | Path
) -> list[Output]:
    """NAME.csv, NAME.json, a picture per chart and report.html, not yet written."""
    out_folder = Path(folder)
    return [
        frame_output(figures, out_folder / f"{name}.csv"),
        text_output(as_json_text(json_data), out_folder / f"{name}.json"),
        *curve_page_outputs(page, out_folder),
    ]


def curve_page_outputs(page: CurvePage, folder: Path) -> list[Output]:
    """The page and every chart as SVG, for `write_all`, in the language in force."""
    lang = current_language()
    pictures = {
        f"{panel.name}.svg": str(vl_convert.vegalite_to_svg(panel.alone(lang).to_json()))
        for panel in page.panels
    }
    texts = {"report.html": render_curve_page(page, lang=lang), **pictures}
    return [text_output(text, folder / name) for name, text in texts.items()]

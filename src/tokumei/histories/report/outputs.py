"""What a sweep leaves in a folder: table, figures, picture and page.

write_all(sweep_outputs([sweep], "out"))   # sweep.csv, sweep.json, sweep.svg, report.html
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import altair as alt
import vl_convert

from tokumei.core.sweep import Sweep
from tokumei.core.text import Language, Text, current_language
from tokumei.files.atomic import Output
from tokumei.files.writing import text_output
from tokumei.histories.report.charts import build_figure
from tokumei.histories.report.overlay import Run, runs_of
from tokumei.histories.report.page import render_history_report
from tokumei.histories.report.series import figure_rows
from tokumei.histories.study import HistoryStudy
from tokumei.report.palette import chart_config
from tokumei.report.sweeps import figure_outputs

Source = HistoryStudy | Sweep
PNG_SCALE = 2


def sweep_outputs(
    sources: Sequence[Source],
    folder: str | Path,
    *,
    title: Text | None = None,
    lang: Language | None = None,
) -> list[Output]:
    """The files of sweeps or studies, not yet written."""
    spoken, place = lang or current_language(), Path(folder)
    return [
        *figure_outputs({run.label.en: run.sweep for run in runs_of(sources)}, place),
        text_output(sweep_svg(sources, lang=spoken), place / "sweep.svg"),
        text_output(
            render_history_report(sources, title=title, lang=spoken), place / "report.html"
        ),
    ]


def sweep_svg(sources: Sequence[Source], *, lang: Language | None = None) -> str:
    """Loss, 1/k and sum against k as SVG text."""
    svg: str = vl_convert.vegalite_to_svg(_figure(runs_of(sources), lang).to_json())
    return svg


def sweep_png(sources: Sequence[Source], *, lang: Language | None = None) -> bytes:
    """The same picture as PNG."""
    spec = _figure(runs_of(sources), lang).to_json()
    png: bytes = vl_convert.vegalite_to_png(spec, scale=PNG_SCALE)
    return png


def _figure(runs: Sequence[Run], lang: Language | None) -> alt.LayerChart:
    data = alt.InlineData(values=figure_rows(runs))
    chart = build_figure(data, runs, lang or current_language())
    styled: alt.LayerChart = chart.properties(width=560).configure(
        **{**chart_config(), "background": "white"}
    )
    return styled

"""Paper 003: re-identification by Euclidean distance, eight single methods, twelve releases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partialmethod
from typing import Literal

import numpy as np

from tokumei.apps.papers.charts import COMPUTED_SIDE, PAPER_SIDE, lines_panel, points_panel
from tokumei.apps.papers.comparison import FORM_ONLY, ComputedBlock, StatedValue
from tokumei.apps.papers.distance_examples import DistanceExamples
from tokumei.core.messages import Message, join_sentences
from tokumei.pages.palette import bilingual_columns
from tokumei.tables.data.table import Table
from tokumei.tables.diagnosis.effect_symbols import EXPECTED_SYMBOLS, paper_symbol
from tokumei.tables.evaluation_suite import CurvePoint
from tokumei.tables.flow import anonymize, sample
from tokumei.tables.report.report_context import build_attack_table
from tokumei.tables.services.attack import attack_table
from tokumei.tables.services.attack_curve import draw_attack_curve
from tokumei.tables.services.comparison_requests import (
    AttackCurveRequest,
    AttackTableRequest,
    ComparisonRequest,
    MeasureTableRequest,
)
from tokumei.tables.services.measure import measure_table

ATTACKS = ("E1", "E2", "E3", "E4", "EUC1", "EUC2")
MEASURES = ("U1", "U2", "U3", "U4", "U5", "U6", "S1", "S2")
FIVE_ATTACKS = ("E1", "E2", "E3", "E4", "EUC1")
HALF_HUNDREDTH, HALF_TEN_THOUSANDTH = 0.005, 0.00005
"""Half of the last printed digit, of two places and of four."""
GENERATED_DATA_NOTE = Message(
    "The paper's data is private: ours are generated households, so that only the form can be "
    "compared."
)


class DistanceAttackPaper(DistanceExamples):
    """The blocks of the paper."""

    @cached_property
    def households(self) -> Table:
        """Generated households."""
        return Table.of(sample(self.recipe["rows"], seed=self.recipe["seed"]))

    @cached_property
    def comparisons(self) -> dict[str, ComparisonRequest]:
        """The original beside itself and the eight releases."""
        original, seed = self.households, self.recipe["seed"]
        rows = np.arange(original.rows)
        requests = {"Original": ComparisonRequest(original=original, release=original, link=rows)}
        for name, steps in self.recipe["releases"].items():
            release = anonymize(original, steps, seed=seed)
            requests[name] = ComparisonRequest(original=original, release=release)
        return requests

    @cached_property
    def figures(self) -> dict[str, dict[str, float]]:
        """Measures and attacks of every one of them."""
        figures_by_case = {}
        for name, comparison in self.comparisons.items():
            measured = measure_table(MeasureTableRequest(comparison=comparison, methods=MEASURES))
            attacked = attack_table(
                AttackTableRequest(
                    comparison=comparison,
                    methods=ATTACKS,
                    params=self.recipe["attacks"],
                    expected=True,
                )
            )
            figures_by_case[name] = {key: score.value for key, score in measured.scores.items()}
            figures_by_case[name] |= {key: rate.rate for key, rate in attacked.rates.items()}
        return figures_by_case

    def table10(self) -> ComputedBlock:
        """The expected effects, as `tokumei diagnose` has them."""
        rows = [
            [key, *EXPECTED_SYMBOLS["EUC1" if key == "EUC" else key].split()]
            for key in self.published_block("table10").column("measure")
        ]
        return ComputedBlock(rows)

    def table11(self) -> ComputedBlock:
        """Measures and attacks of the original and eight releases of generated households."""
        printed = self.published_block("table11")
        rows = [
            [key, *(self.figures[name][key] for name in printed.columns[1:])]
            for key in printed.column("measure")
        ]
        limits = dict.fromkeys(printed.columns[1:], FORM_ONLY)
        return ComputedBlock(rows, tolerance=limits, note=GENERATED_DATA_NOTE)

    def table12(self) -> ComputedBlock:
        """Its attack lines are Table 15 in two places; the rest is private."""
        rates = {row[0]: row[1:6] for row in self.published_block("table15").rows}
        names = self.published_block("table12").columns[1:]
        rows = [
            [key, *(rates[name][FIVE_ATTACKS.index(key)] for name in names)]
            if key in FIVE_ATTACKS
            else None
            for key in self.published_block("table12").column("measure")
        ]
        return ComputedBlock(rows, tolerance=HALF_HUNDREDTH)

    def table13(self) -> ComputedBlock:
        """Symbols by fixed limits (`diagnose --symbols paper`) from Tables 12 and 15."""
        table12 = {row[0]: row[1:] for row in self.published_block("table12").rows}
        rates = {row[0]: row[1:6] for row in self.published_block("table15").rows}
        names = self.published_block("table13").columns[1:]
        rows: list[Sequence[object] | None] = []
        for key in self.published_block("table13").column("row"):
            if key in FIVE_ATTACKS:
                values = [rates[name][FIVE_ATTACKS.index(key)] for name in names]
            else:
                values = list(table12.get(key, []))
            rows.append([key, *(paper_symbol(key, value) for value in values)] if values else None)
        return ComputedBlock(rows)

    def table14(self) -> ComputedBlock:
        """Two methods alone as Table 10, together as D10 of Table 13."""
        table10 = {row[0]: row[1:] for row in self.published_block("table10").rows}
        table13 = self.published_block("table13")
        d10 = dict(zip(table13.column("row"), table13.column("D10"), strict=True))
        rows = []
        for key in self.published_block("table14").column("measure"):
            single_effects = table10["EUC" if key == "EUC1" else key]
            rows.append([key, single_effects[0], single_effects[5], d10[key]])
        return ComputedBlock(rows)

    def table15(self) -> ComputedBlock:
        """The best attack of every release, and means, deviations and wins of every attack."""
        printed = self.published_block("table15")
        rates = [dict(zip(FIVE_ATTACKS, row[1:6], strict=True)) for row in printed.rows]
        table = build_attack_table(printed.column("release"), rates)
        rows = [
            [None] * 6 + [", ".join(line.attack for line in table.lines if line.best[number])]
            for number in range(len(rates))
        ]
        recomputed = printed.entry["recomputed"]
        stated = []
        for line in table.lines:
            name, sd = line.attack, float(np.std([rate[line.attack] for rate in rates]))
            stated += [
                StatedValue(
                    Message("mean of {name}", name=name),
                    printed.entry["mean"][name],
                    line.mean,
                    HALF_TEN_THOUSANDTH,
                    recomputed["mean"].get(name),
                ),
                StatedValue(
                    Message("sd of {name}", name=name),
                    printed.entry["sd"][name],
                    sd,
                    HALF_TEN_THOUSANDTH,
                    recomputed["sd_population"][name],
                ),
                StatedValue(
                    Message("wins of {name}", name=name), printed.entry["wins"][name], line.wins
                ),
            ]
        return ComputedBlock(rows, beside=stated)

    def figure1(self) -> ComputedBlock:
        """U4 against E3: the paper's points hollow, those of generated households filled."""
        published_points = self.published_block("figure1").entry["points"]
        computed_points = {
            name: (values["U4"], values["E3"]) for name, values in self.figures.items()
        }
        points = _merge_coinciding_points(published_points, PAPER_SIDE) + _merge_coinciding_points(
            computed_points, COMPUTED_SIDE
        )
        heading = Message("U4 against E3")
        axes = (Message.verbatim("U4 (corMAE)"), Message.verbatim("E3 (identify.sort)"))
        rows = [[name, list(map(float, computed_points[name]))] for name in published_points]
        yamaoka = Message(
            "C (Yamaoka): values unchanged, link false. Names at one point stand together."
        )
        note = join_sentences([GENERATED_DATA_NOTE, yamaoka])
        panel = points_panel("figure1", heading, *axes, points)
        return ComputedBlock(rows, tolerance=FORM_ONLY, note=note, panels=[panel])

    @cached_property
    def curves(self) -> dict[str, list[CurvePoint]]:
        """EUC1 by QI, SA and rows (with one QI), on the release with noise as in the paper."""
        comparison, schema = self.comparisons["DB"], self.households.schema
        one_qi = replace(comparison, qi=tuple(schema.qi[:1]), sa=tuple(schema.sa))
        return {
            "qi": self._draw_curve(comparison, "qi"),
            "sa": self._draw_curve(comparison, "sa"),
            "rows": self._draw_curve(one_qi, "rows"),
        }

    def _draw_curve(
        self, comparison: ComparisonRequest, by: Literal["qi", "sa", "rows"]
    ) -> list[CurvePoint]:
        request = AttackCurveRequest(
            comparison=comparison, by=by, methods=("EUC1",), seed=self.recipe["seed"]
        )
        return draw_attack_curve(request).points

    def _curve_block(self, name: str, by: str, *, seconds: bool) -> ComputedBlock:
        """Time or success of EUC1 against what is used."""
        points = self.curves[by]
        values = [point.seconds if seconds else point.rate for point in points]
        rows = [
            {
                "x": point.used,
                **bilingual_columns(LINE_LABEL),
                "value": value,
                "best": False,
                **bilingual_columns(COMPUTED_SIDE, "side_"),
            }
            for point, value in zip(points, values, strict=True)
        ]
        y = Message("seconds") if seconds else Message("share found")
        panel = lines_panel(name, self.published_block(name).title, AXIS_LABELS[by], y, rows)
        range_label = Message("from the first to the last")
        shape = self.published_block(name).rows[0][1]
        computed_range = f"{values[0]:.4g} … {values[-1]:.4g}"
        stated = [StatedValue(range_label, shape, computed_range, FORM_ONLY)]
        return ComputedBlock(beside=stated, note=GENERATED_DATA_NOTE, panels=[panel])

    figure2 = partialmethod(_curve_block, "figure2", "qi", seconds=True)
    figure3 = partialmethod(_curve_block, "figure3", "qi", seconds=False)
    figure4 = partialmethod(_curve_block, "figure4", "sa", seconds=True)
    figure5 = partialmethod(_curve_block, "figure5", "sa", seconds=False)
    figure6 = partialmethod(_curve_block, "figure6", "rows", seconds=True)
    runtime = DistanceExamples.nothing_computed  # minutes of a program in R


LINE_LABEL = Message.verbatim("EUC1")
AXIS_LABELS = {
    "qi": Message("quasi-identifiers used"),
    "sa": Message("sensitive columns used"),
    "rows": Message("rows", context="a number"),
}


def _merge_coinciding_points(
    points: Mapping[str, Sequence[float]], side: Message
) -> list[dict[str, object]]:
    """A row per place: points that coincide share a name."""
    places: dict[tuple[float, float], list[str]] = {}
    for name, (x, y) in points.items():
        places.setdefault((round(float(x), 4), round(float(y), 4)), []).append(name)
    return [
        {"x": x, "y": y, "tag": ", ".join(names), **bilingual_columns(side, "side_")}
        for (x, y), names in places.items()
    ]

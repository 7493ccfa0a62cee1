"""Paper 003: re-identification by Euclidean distance, eight single methods, twelve releases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partialmethod
from typing import Any

import numpy as np

from tokumei.core.randomness import Randomness
from tokumei.core.text import Text
from tokumei.papers.charts import OURS, PAPER, lines_panel, points_panel
from tokumei.papers.distance_examples import DistanceExamples
from tokumei.papers.verdict import FORM, Beside, Found
from tokumei.report.palette import both
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.data.table import Table
from tokumei.tables.diagnosis.symbols import EXPECTED, paper_symbol
from tokumei.tables.flow import anonymize, sample
from tokumei.tables.report.page import table_of_rates
from tokumei.tables.suite import CurvePoint, attack_curve, attack_suite, measure_suite

ATTACKS = ("E1", "E2", "E3", "E4", "EUC1", "EUC2")
MEASURES = ("U1", "U2", "U3", "U4", "U5", "U6", "S1", "S2")
FIVE = ("E1", "E2", "E3", "E4", "EUC1")
HUNDREDTH, PLACES = 0.005, 0.00005
"""Half of the last printed digit, of two places and of four."""
LOOK_ALIKE = Text(
    "The paper's data is private: ours are generated households, so that only the form compares.",
    "論文のデータは非公開です。生成した世帯データで計算しており、比べられるのは傾向だけです。",
)


class DistanceAttack(DistanceExamples):
    """The blocks of the paper."""

    @cached_property
    def households(self) -> Table:
        """Generated households."""
        return Table.of(sample(self.recipe["rows"], seed=self.recipe["seed"]))

    @cached_property
    def cases(self) -> dict[str, Comparison]:
        """The original beside itself and the eight releases."""
        original, seed = self.households, self.recipe["seed"]
        found = {"Original": Comparison(original, original, np.arange(original.rows))}
        for name, steps in self.recipe["releases"].items():
            found[name] = Comparison.of(original, anonymize(original, steps, seed=seed))
        return found

    @cached_property
    def figures(self) -> dict[str, dict[str, float]]:
        """Measures and attacks of every one of them."""
        rng, attacked = Randomness(self.recipe["seed"]), self.recipe["attacks"]
        found = {}
        for name, case in self.cases.items():
            scores = measure_suite(case, MEASURES)
            rates = attack_suite(case, ATTACKS, rng=rng.child(name), params=attacked, expected=True)
            found[name] = {one: score.value for one, score in scores.items()}
            found[name] |= {one: rate.rate for one, rate in rates.items()}
        return found

    def table10(self) -> Found:
        """The expected effects, as `tokumei diagnose` has them."""
        rows = [
            [key, *EXPECTED["EUC1" if key == "EUC" else key].split()]
            for key in self.printed("table10").column("measure")
        ]
        return Found(rows)

    def table11(self) -> Found:
        """Measures and attacks of the original and eight releases of generated households."""
        printed = self.printed("table11")
        rows = [
            [key, *(self.figures[name][key] for name in printed.columns[1:])]
            for key in printed.column("measure")
        ]
        limits = dict.fromkeys(printed.columns[1:], FORM)
        return Found(rows, tolerance=limits, note=LOOK_ALIKE)

    def table12(self) -> Found:
        """Its attack lines are Table 15 in two places; the rest is private."""
        rates = {row[0]: row[1:6] for row in self.printed("table15").rows}
        names = self.printed("table12").columns[1:]
        rows = [
            [key, *(rates[name][FIVE.index(key)] for name in names)] if key in FIVE else None
            for key in self.printed("table12").column("measure")
        ]
        return Found(rows, tolerance=HUNDREDTH)

    def table13(self) -> Found:
        """Symbols by fixed limits (`diagnose --symbols paper`) from Tables 12 and 15."""
        table12 = {row[0]: row[1:] for row in self.printed("table12").rows}
        rates = {row[0]: row[1:6] for row in self.printed("table15").rows}
        names = self.printed("table13").columns[1:]
        rows: list[Sequence[Any] | None] = []
        for key in self.printed("table13").column("row"):
            if key in FIVE:
                values = [rates[name][FIVE.index(key)] for name in names]
            else:
                values = list(table12.get(key, []))
            rows.append([key, *(paper_symbol(key, value) for value in values)] if values else None)
        return Found(rows)

    def table14(self) -> Found:
        """Two methods alone as Table 10, together as D10 of Table 13."""
        ten = {row[0]: row[1:] for row in self.printed("table10").rows}
        thirteen = self.printed("table13")
        d10 = dict(zip(thirteen.column("row"), thirteen.column("D10"), strict=True))
        rows = []
        for key in self.printed("table14").column("measure"):
            alone = ten["EUC" if key == "EUC1" else key]
            rows.append([key, alone[0], alone[5], d10[key]])
        return Found(rows)

    def table15(self) -> Found:
        """The best attack of every release, and means, deviations and wins of every attack."""
        printed = self.printed("table15")
        rates = [dict(zip(FIVE, row[1:6], strict=True)) for row in printed.rows]
        table = table_of_rates(printed.column("release"), rates)
        rows = [
            [None] * 6 + [", ".join(line.attack for line in table.lines if line.best[at])]
            for at in range(len(rates))
        ]
        right = printed.entry["recomputed"]
        beside = []
        for line in table.lines:
            name, sd = line.attack, float(np.std([rate[line.attack] for rate in rates]))
            beside += [
                Beside(
                    Text(f"mean of {name}", f"{name} の平均"),
                    printed.entry["mean"][name],
                    line.mean,
                    PLACES,
                    right["mean"].get(name),
                ),
                Beside(
                    Text(f"sd of {name}", f"{name} の標準偏差"),
                    printed.entry["sd"][name],
                    sd,
                    PLACES,
                    right["sd_population"][name],
                ),
                Beside(
                    Text(f"wins of {name}", f"{name} が最良の数"),
                    printed.entry["wins"][name],
                    line.wins,
                ),
            ]
        return Found(rows, beside=beside)

    def figure1(self) -> Found:
        """U4 against E3: the paper's points hollow, those of generated households filled."""
        theirs = self.printed("figure1").entry["points"]
        ours = {name: (one["U4"], one["E3"]) for name, one in self.figures.items()}
        points = _together(theirs, PAPER) + _together(ours, OURS)
        heading = Text("U4 against E3", "U4 と E3")
        axes = Text("U4 (corMAE)", "U4 (corMAE)"), Text("E3 (identify.sort)", "E3 (identify.sort)")
        rows = [[name, list(map(float, ours[name]))] for name in theirs]
        yamaoka = Text(
            "C (Yamaoka): values unchanged, link false. Names at one point stand together.",
            "C (山岡匿名化) は値を変えず、対応だけを偽ったものです。"
            "重なる点の名前は並べてあります。",
        )
        note = Text(f"{LOOK_ALIKE.en} {yamaoka.en}", f"{LOOK_ALIKE.ja}{yamaoka.ja}")
        panel = points_panel("figure1", heading, *axes, points)
        return Found(rows, tolerance=FORM, note=note, panels=[panel])

    @cached_property
    def curves(self) -> dict[str, list[CurvePoint]]:
        """EUC1 by QI, SA and rows (with one QI), on the release with noise as in the paper."""
        rng, case = Randomness(self.recipe["seed"]), self.cases["DB"]
        qi, sa = case.original.schema.qi, case.original.schema.sa
        one_qi = replace(case, original=Table.of(case.original, qi=qi[:1], sa=sa), cross=())
        return {
            "qi": attack_curve(case, "qi", ["EUC1"], rng=rng),
            "sa": attack_curve(case, "sa", ["EUC1"], rng=rng),
            "rows": attack_curve(one_qi, "rows", ["EUC1"], rng=rng),
        }

    def _curve(self, name: str, by: str, *, seconds: bool) -> Found:
        """Time or success of EUC1 against what is used."""
        points = self.curves[by]
        values = [point.seconds if seconds else point.rate for point in points]
        rows = [
            {"x": point.used, **both(LINE), "value": value, "best": False, **both(OURS, "side_")}
            for point, value in zip(points, values, strict=True)
        ]
        y = Text("seconds", "秒") if seconds else Text("share found", "再識別率")
        panel = lines_panel(name, self.printed(name).title, BY[by], y, rows)
        told = Text("from the first to the last", "最初から最後まで")
        shape = self.printed(name).rows[0][1]
        ours = f"{values[0]:.4g} … {values[-1]:.4g}"
        beside = [Beside(told, shape, ours, FORM)]
        return Found(beside=beside, note=LOOK_ALIKE, panels=[panel])

    figure2 = partialmethod(_curve, "figure2", "qi", seconds=True)
    figure3 = partialmethod(_curve, "figure3", "qi", seconds=False)
    figure4 = partialmethod(_curve, "figure4", "sa", seconds=True)
    figure5 = partialmethod(_curve, "figure5", "sa", seconds=False)
    figure6 = partialmethod(_curve, "figure6", "rows", seconds=True)
    runtime = DistanceExamples.shown  # minutes of a program in R


LINE = Text("EUC1", "EUC1")
BY = {
    "qi": Text("quasi-identifiers used", "用いる準識別子の数"),
    "sa": Text("sensitive columns used", "用いる機密属性の数"),
    "rows": Text("rows", "行数"),
}


def _together(points: Mapping[str, Sequence[float]], side: Text) -> list[dict[str, Any]]:
    """A row per place: points that coincide share a name."""
    places: dict[tuple[float, float], list[str]] = {}
    for name, (x, y) in points.items():
        places.setdefault((round(float(x), 4), round(float(y), 4)), []).append(name)
    return [
        {"x": x, "y": y, "tag": ", ".join(names), **both(side, "side_")}
        for (x, y), names in places.items()
    ]

"""The figures of paper 002: response times, combinations, the auction, the tool, values."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations

import numpy as np
from scipy.stats import spearmanr

from tokumei.apps.papers.charts import PAPER_SIDE, values_panel
from tokumei.apps.papers.comparison import CellKey, ComputedBlock, FormCheck, StatedValue
from tokumei.apps.papers.headings import describe_heading
from tokumei.apps.papers.published_values import PaperCell
from tokumei.apps.papers.reproduction import PICTURE, PaperReproduction
from tokumei.apps.papers.response_times import (
    COUNT_QUERY,
    LIKE_QUERY,
    measure_response_times,
)
from tokumei.apps.price.auction import auction_cost
from tokumei.apps.price.datasets.published_experiment import build_paper_twin
from tokumei.core.messages import Message
from tokumei.pages.palette import bilingual_columns


class PriceFigures(PaperReproduction):
    """The blocks of the figures."""

    def figure1(self) -> ComputedBlock:
        """Rows in two seconds, from the printed slopes."""
        readable = self.published_block("figure1").entry["readable"]
        names = self.published_block("figure1").column("name")
        rows = [
            [None, 2 / readable[f"slope_{name.rpartition('_')[2]}_s_per_row"]]
            if name.startswith("rows_in")
            else None
            for name in names
        ]
        exchanged = Message(
            "2 s over the slope of LIKE are 212,765,957 rows, over that of COUNT 617,284: the "
            "names seem exchanged, and 2,000,000 rows follow from neither slope."
        )
        why = Message("Response times of a database of 2012.")
        note = self._describe_times() if self.recipe["times"] else None
        return ComputedBlock(rows, explanations={"value": exchanged}, why=why, note=note)

    def _describe_times(self) -> Message:
        """The same two slopes on this machine."""
        people = build_paper_twin(seed=self.recipe["seed"]).people
        slopes = measure_response_times(people)
        return Message(
            "Here, on {rows:,} made-up people in SQLite: LIKE {like:.2g} s per row, COUNT over all "
            "columns {count:.2g} s per row.",
            rows=people.height,
            like=slopes[LIKE_QUERY],
            count=slopes[COUNT_QUERY],
        )

    def figure2(self) -> ComputedBlock:
        """What can be said of the largest number without the number of words of each attribute."""
        example = self.published_block("figure2").entry["example"]
        least, most, count = example["words_least"], example["words_most"], example["attributes"]
        within = least**count <= example["most"] <= most**count
        possible = FormCheck(
            Message(
                "{least}^{count} ≤ the largest number ≤ {most}^{count}",
                **{"least": least, "most": most, "count": count},
            ),
            True,
            [bool(within)],
        )
        gap = round(float(np.log10(example["most"] / example["database"])))
        stated = [
            StatedValue(
                Message("powers of ten to what a database can do"),
                round(float(np.log10(example["gap"]))),
                gap,
            )
        ]
        why = Message("The numbers of words of the 47 attributes are not printed.")
        return ComputedBlock(beside=stated, forms=[possible], why=why)

    def figure3(self) -> ComputedBlock:
        """The printed rules against the auction, at a hundred drawn bids each."""
        rows = []
        for case, formula in self.published_block("figure3").rows:
            rule, holds = PRICE_RULES.get(formula), []
            for drawn in np.random.default_rng(self.recipe["seed"]).integers(1, 1000, (100, 3)):
                bid, gap, clicks = (int(number) for number in drawn)
                other = bid + gap if case == "below" else max(bid - gap, 0)
                clicks = 0 if case == "no_clicks" else clicks
                cost = auction_cost(bid, [other], clicks=clicks, unit=1, minimum=SMALLEST_COST)
                holds.append(rule is not None and cost == rule(bid, other, clicks))
            rows.append([None, formula if all(holds) else ""])
        return ComputedBlock(rows)

    def figure5(self) -> ComputedBlock:
        """The formulas, by which Table 1 is computed."""
        return ComputedBlock(why=Message("Definitions; Table 1 is computed by them."))

    def figure7(self) -> ComputedBlock:
        """Cost per click and click rate from cost, clicks and impressions, which are rounded."""
        rows: list[list[PaperCell]] = []
        slack: dict[CellKey, float] = {}
        printed = self.published_block("figure7")
        for number, (_, clicks, shown, _, cost, _, _) in enumerate(printed.rows):
            per_click = cost / clicks if clicks else 0.0
            rate = 100 * clicks / shown
            rows.append([None, None, None, None, None, rate, per_click])
            slack[number, "ctr_percent"] = 100 * 0.005 / shown
            if clicks:
                slack[number, "cpc_yen"] = (0.5 + per_click * 0.005) / (clicks - 0.005)
        misread = Message("Cost / clicks is 485.5 for all 225 words; perhaps 485 was misread.")
        return ComputedBlock(
            rows, slack=slack, explanations={(0, "cpc_yen"): misread}, why=TOOL_OF_2012
        )

    def _printed_values_block(self, name: str, by: Message, statistic: str) -> ComputedBlock:
        """The three patterns whose value the paper prints, and what chance says of them."""
        table6 = self.published_block("table6")
        figures = dict(zip(table6.column("statistic"), table6.rows, strict=True))[statistic]
        names = table6.columns[1:]
        values = {
            row[0]: row[3] for row in self.published_block("table4").rows if row[0] in AGE_NAMES
        }
        worth = {AGE_NAMES[name]: value for name, value in values.items()}
        worth["five_years"] = table6.entry["facts"]["value_of_five_years_yen"]
        points = [
            {
                "x": figures[names.index(pattern) + 1],
                "y": value,
                "tag": describe_heading(pattern).show("en"),
                **bilingual_columns(describe_heading(pattern)),
                **bilingual_columns(PAPER_SIDE, "side_"),
            }
            for pattern, value in worth.items()
        ]
        orders = [
            abs(spearmanr([point["x"] for point in points], order).statistic)
            for order in permutations(worth.values())
        ]
        p = float(np.mean([rank >= orders[0] - 1e-9 for rank in orders]))
        note = Message(
            "Only three of the five values are printed; of school and own groups none is, and none "
            "is drawn. The paper finds no relation: an exact rank test of three points gives p = "
            "{p:.2f}, and could not come below {least:.2f}, whatever the relation.",
            least=float(np.mean([rank >= max(orders) - 1e-9 for rank in orders])),
            p=p,
        )
        panel = values_panel(name, self.published_block(name).title, by, points)
        return ComputedBlock(note=note, why=PICTURE, panels=[panel])

    def figure8(self) -> ComputedBlock:
        """Value against the people of the rarest word."""
        return self._printed_values_block(
            "figure8", Message("people of the rarest word"), "smallest_k"
        )

    def figure9(self) -> ComputedBlock:
        """Value against the number of words."""
        return self._printed_values_block("figure9", Message("words"), "words")


AGE_NAMES = {"年齢": "age", "年代": "decade"}
"""Attributes of Table 4 that are ways to group ages in Table 6."""
SMALLEST_COST = 0.0
PRICE_RULES: dict[str, Callable[[int, int, int], float]] = {
    "M * clicks": lambda own, other, clicks: own * clicks,
    "(C + unit) * clicks": lambda own, other, clicks: (other + 1) * clicks,
    "minimum": lambda own, other, clicks: SMALLEST_COST,
}
TOOL_OF_2012 = Message("Clicks, impressions and costs are those of the tool on one day of 2012.")

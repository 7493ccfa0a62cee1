"""Paper 001 on another purchase history: a contest's data, pseudonyms by month, sample attacks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import ClassVar

import numpy as np
import polars as pl

from tokumei.apps.papers.contest_attacks import SAMPLE_ATTACKS
from tokumei.apps.papers.contest_data import (
    ContestPurchases,
    draw_contest,
    history_purchases,
    retail_purchases,
)
from tokumei.apps.papers.headings import describe_heading
from tokumei.apps.papers.own.own_history_examples import HISTORY_SETTINGS, read_own_history
from tokumei.apps.papers.own.study import MadeTable, OwnStudy
from tokumei.core.messages import Message
from tokumei.core.randomness import Randomness
from tokumei.files.reading import read_frame
from tokumei.pseudonyms.data.knowledge import PartialKnowledge
from tokumei.pseudonyms.data.period_history import PeriodHistory
from tokumei.pseudonyms.data.pseudonym_table import PeriodRelease
from tokumei.pseudonyms.flow import anonymize, measure
from tokumei.pseudonyms.formats.pws2017 import Pws2017
from tokumei.pseudonyms.measures.itemcf import ItemCfSupply
from tokumei.pseudonyms.services.anonymize import read_periods
from tokumei.pseudonyms.services.attack import AttackedPeriods, attack_periods
from tokumei.pseudonyms.services.requests import AttackPeriodsRequest, PeriodSource

FEW_ROWS, FEW_PEOPLE, FEW_ITEMS = 9, 4, 5
UTILITIES = ("itemcf_supply", "itemcf_retail", "topk")


@dataclass(frozen=True, eq=False)
class OwnContest(OwnStudy):
    """The blocks of the paper."""

    number: ClassVar[str] = "001"
    defaults: ClassVar[Mapping[str, object]] = {
        **HISTORY_SETTINGS,
        "master": None,
        "customers": 500,
        "last_day": None,
        "alpha": 0.25,
        "lifetime": 1,
    }

    @cached_property
    def purchases(self) -> ContestPurchases:
        """What the contest's people are drawn from."""
        if self.settings.text("format") == "online-retail":
            last = self.settings.text("last_day")
            return retail_purchases(
                read_frame(self.path),
                cleaning=self.settings.text("cleaning") or "pwscup",
                last_day=date.fromisoformat(last) if last else None,
            )
        return history_purchases(read_own_history(self, draw=False))

    @cached_property
    def history(self) -> PeriodHistory:
        """T and M: those of a contest's files, else drawn."""
        if self.of_contest:
            layout = Pws2017(master=self.settings.text("master"))
            return read_periods(PeriodSource(data=str(self.path), layout=layout))
        people = self.purchases.rows["customer"].n_unique()
        customers = min(self.settings.integer("customers") or people, people)
        return draw_contest(self.purchases, customers=customers, seed=self.seed)

    @property
    def of_contest(self) -> bool:
        """Whether the file is already T of a contest."""
        return self.settings.text("format") == "pws2017"

    @property
    def seed(self) -> int:
        """What repeats all draws."""
        return self.settings.integer("seed")

    @cached_property
    def release(self) -> PeriodRelease:
        """The history under changing pseudonyms, nothing else changed."""
        lifetime = self.settings.integer("lifetime")
        return anonymize(self.history, "pseudonyms", lifetime=lifetime, seed=self.seed)

    @cached_property
    def attacked(self) -> AttackedPeriods:
        """What the three sample attacks find by partial knowledge."""
        alpha = self.settings.number("alpha")
        request = AttackPeriodsRequest(
            public=self.release.public,
            known=PartialKnowledge(alpha=alpha).of(self.history.rows, rng=Randomness(self.seed)),
            master=self.history.master,
            months=self.release.months,
            truth=self.release.table,
            methods=tuple(SAMPLE_ATTACKS.values()),
            seed=self.seed,
        )
        return attack_periods(request)

    @property
    def numbers(self) -> pl.DataFrame:
        """Prices and quantities of the rows as numbers, beside their items."""
        rows = self.history.rows
        return rows.cells.select("item").with_columns(
            price=pl.Series(rows.prices), quantity=pl.Series(rows.quantities)
        )

    def table1(self) -> MadeTable:
        """This contest's column."""
        months = self.history.months.count
        width = len(self.history.master.frame.columns), len(self.history.frame.columns)
        rows: list[list[object]] = [
            [
                Message("attributes", context="heading of a paper"),
                f"{sum(width)} ({width[0]} + {width[1]})",
            ],
            [PEOPLE, self.history.master.frame.height],
            [ROWS, self.history.rows.rows],
            [Message("months", context="how many"), months],
        ]
        return MadeTable(rows, ("item", "value"), title=Message("This contest"))

    def table2(self) -> MadeTable:
        """The size of the data that people are drawn from."""
        rows = self.history.frame if self.of_contest else self.purchases.rows
        days = self.history.rows.days.astype("datetime64[D]") if self.of_contest else rows["day"]
        figures: list[list[object]] = [
            [ROWS, rows.height],
            [PEOPLE, rows["customer"].n_unique()],
            [Message("items", context="how many sorts"), rows["item"].n_unique()],
            [describe_heading("first"), str(days.min())],
            [describe_heading("last"), str(days.max())],
        ]
        return MadeTable(figures, title=Message("Size of the data"))

    def table3(self) -> MadeTable:
        """The columns of T and their first cells."""
        first = self.history.frame.row(0, named=True)
        return MadeTable([[name, cell] for name, cell in first.items()], ("attribute", "values"))

    def table4(self) -> MadeTable:
        """The values of M, and its smallest class."""
        frame = self.history.master.frame
        rows = [
            [name, ", ".join(frame[name].unique().sort().to_list())] for name in frame.columns[1:]
        ]
        smallest = int(frame.select(pl.len().over(frame.columns[1:])).to_numpy().min())
        note = Message("Every combination occurs at least {count} times.", count=smallest)
        return MadeTable(rows, note=note)

    def table5(self) -> MadeTable:
        """The first customers."""
        return MadeTable(
            [list(row) for row in self.history.master.frame.head(FEW_PEOPLE).iter_rows()]
        )

    def table6(self) -> MadeTable:
        """The first purchases."""
        return MadeTable([list(row) for row in self.history.frame.head(FEW_ROWS).iter_rows()])

    def table7(self) -> MadeTable:
        """What this data has to do with the five items of Rule 19."""
        rows = self.numbers
        once = rows.filter(pl.len().over("item") == 1).height
        prices = rows["price"].to_numpy()
        far = int((np.abs(prices - prices.mean()) > 4 * prices.std()).sum())
        readings = {
            3: Message("customer ids, replaced by pseudonyms unlike any of them"),
            4: Message(
                "{once:,} rows of items bought once, {far:,} prices beyond mean ± 4 sd",
                once=once,
                far=far,
            ),
        }
        printed = self.book.blocks["table7"].rows
        return MadeTable(
            [[item, subject, readings.get(item, LEFT_OPEN)] for item, subject, _ in printed],
            title=Message("The five items of Rule 19 and this data"),
        )

    def figure1(self) -> MadeTable:
        """One customer's rows in T and in A(T), over two months."""
        person = self.history.person
        busiest = int(np.bincount(person).argmax())
        rows = np.flatnonzero((person == busiest) & (self.history.period <= 1))[:FEW_ROWS]
        before, after = self.history.frame[rows], self.release.rows.cells[rows]
        cells = [
            [*old, new]
            for old, new in zip(
                before.select("customer", "day", "item").iter_rows(), after["customer"], strict=True
            )
        ]
        columns = ("customer", "day", "item", Message("pseudonym"))
        return MadeTable(cells, columns, title=Message("From T to A(T): one customer, two months"))

    def figure2(self) -> MadeTable:
        """How many rows were known, and the share of right pairs."""
        known = PartialKnowledge(alpha=self.settings.number("alpha"))
        rows = known.of(self.history.rows, rng=Randomness(self.seed)).kept.sum()
        figures: list[list[object]] = [
            [Message("rows known"), int(rows)],
            [Message("rows of T"), self.history.rows.rows],
            *self._rates("reid_pairs"),
        ]
        return MadeTable(figures, ("name", "value"))

    def _rates(self, measure: str) -> list[list[object]]:
        return [
            [describe_heading(name), self.attacked.rates[key][measure].value]
            for name, key in SAMPLE_ATTACKS.items()
        ]

    def figure3(self) -> MadeTable:
        """The items that most people bought: how alike their buyers are."""
        bought = pl.DataFrame({"person": self.history.person, "item": self.history.frame["item"]})
        counts = bought.group_by("person", "item").len()
        top = counts.group_by("item").len("people").sort("people", "item", descending=[True, False])
        names = top["item"].head(FEW_ITEMS).to_list()
        matrix = np.zeros((self.history.master.frame.height, len(names)))
        for person, item, times in counts.filter(pl.col("item").is_in(names)).iter_rows():
            matrix[person, names.index(item)] = times
        norms = np.linalg.norm(matrix, axis=0)
        similarity = matrix.T @ matrix / np.outer(norms, norms)
        rows = [[name, *map(float, line)] for name, line in zip(names, similarity, strict=True)]
        return MadeTable(rows, ["item", *map(Message.verbatim, names)])

    def figure4(self) -> MadeTable:
        """The files of the contest and their lines."""
        rows: list[list[object]] = [
            ["M", self.history.master.frame.height],
            ["T", self.history.rows.rows],
            ["A(T)", self.release.rows.rows],
            ["S", self.release.public.rows],
            ["F", self.history.master.frame.height],
        ]
        return MadeTable(rows, (Message("file"), "rows"))

    def rates2016(self) -> MadeTable:
        """The share of rows that each sample attack re-identifies."""
        title = Message("Share of rows re-identified")
        return MadeTable(self._rates("reid_rows"), ("attack", "rate"), title=title)

    def supply_scores(self) -> MadeTable:
        """Purchases by dozens, and how many there are of each."""
        quantities = self.numbers["quantity"].to_numpy()
        scores = ItemCfSupply(as_paper=True).entries(quantities)
        ends = [(0, 11), (12, 23), (24, 35)]
        rows = []
        for low, high in ends:
            inside = (quantities >= low) & (quantities <= high)
            score = int(scores[inside][0]) if inside.any() else None
            rows.append([f"{low}-{high}", score, int(inside.sum())])
        return MadeTable(rows, ("name", "value", "rows"))

    def sample_attacks(self) -> MadeTable:
        """The share of active pairs that each finds, and a blind guess."""
        guess = 1 / self.history.master.frame.height
        rows = [*self._rates("reid_active"), [Message("a blind guess"), guess]]
        return MadeTable(rows, ("attack", "rate"))

    def contest_rows(self) -> MadeTable:
        """The rows of the drawn customers."""
        return MadeTable(
            [[ROWS, self.history.rows.rows]], title=Message("Rows of the contest file")
        )

    def formula_values(self) -> MadeTable:
        """What the release loses by the paper's measures."""
        scores = measure(self.history, self.release, methods=UTILITIES)
        rows = [[name, scores[name].value] for name in UTILITIES]
        return MadeTable(rows, ("measure", "value"), title=Message("What monthly pseudonyms lose"))


PEOPLE = Message("people", context="a number")
ROWS = Message("rows", context="a number")
LEFT_OPEN = Message("`tokumei conform` gathers the evidence; the reading is yours")

"""Paper 001: the contest PWSCUP 2017, its data, rules of the law, and shares of right pairs."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from functools import cached_property

import numpy as np
import polars as pl
from scipy import sparse

from tokumei.apps.papers.comparison import CellKey, ComputedBlock, StatedValue
from tokumei.apps.papers.contest_attacks import (
    CONTEST_FILES,
    MASTER_COLUMNS,
    SampleAttacks,
)
from tokumei.apps.papers.published_values import PaperCell
from tokumei.apps.papers.reproduction import PICTURE, printed_only
from tokumei.core.generalized_cells import equivalence_class_codes
from tokumei.core.messages import Message
from tokumei.files.reading import read_frame
from tokumei.histories.formats.online_retail import (
    CleanedRetail,
    clean_online_retail,
)
from tokumei.pseudonyms.data.pseudonym_table import PseudonymTable
from tokumei.pseudonyms.measures.itemcf import ItemCfSupply, similarity_distance
from tokumei.pseudonyms.measures.reidentification import GuessClaims, reid_scores

RETAIL_FILE = "online_retail.parquet"


class ContestPaper(SampleAttacks):
    """The blocks of the paper."""

    @cached_property
    def retail_frame(self) -> pl.DataFrame:
        """Online Retail as it is given out."""
        return read_frame(self.data_file(RETAIL_FILE))

    @cached_property
    def cleaned_retail(self) -> CleanedRetail:
        """What the contest's cleaning leaves of it."""
        return clean_online_retail(self.retail_frame, cleaning=self.recipe["cleaning"])

    def table1(self) -> ComputedBlock:
        """The column of 2017, counted in the contest's files."""
        history = self.read_contest_file(CONTEST_FILES["2017"])
        months = history.to_series(2).str.extract(r"^(\d+/\d+)/").n_unique()
        attribute_counts = (
            f"{self.master.width + history.width} ({self.master.width} + {history.width})"
        )
        computed = {
            "attributes": attribute_counts,
            "persons_n": self.master.height,
            "history_rows_m": history.height,
            "history": f"{months} months T(1)…T({months})",
        }
        rows = [
            [None, None, None, computed[row[0]]] if row[0] in computed else None
            for row in self.published_block("table1").rows
        ]
        return ComputedBlock(rows, why=EVENT_FACTS)

    def table2(self) -> ComputedBlock:
        """The size of the cleaned data."""
        cleaned = self.cleaned_retail
        computed = {
            "rows": cleaned.purchases.height,
            "customers": cleaned.purchases["customer"].n_unique(),
            "items": cleaned.purchases["item"].n_unique(),
            "first": _format_moment(cleaned.moments[0]),
            "last": _format_moment(cleaned.moments[-1]),
        }
        return ComputedBlock(
            [[None, computed[name]] for name in self.published_block("table2").column("item")]
        )

    def table3(self) -> ComputedBlock:
        """The columns of Online Retail that it names."""
        columns = self.retail_frame.columns
        names = self.published_block("table3").column("attribute")
        return ComputedBlock([[name if name in columns else "", None] for name in names])

    def table4(self) -> ComputedBlock:
        """The values of the customer table, and its smallest class."""
        sexes, decades = (sorted(self.master[name].unique()) for name in ("sex", "decade"))
        years = [int(day.split("/")[0]) for day in decades]
        countries = set(self.master["country"])
        printed = self.published_block("table4")
        named_countries = str(printed.rows[3][1])
        buyers = self.read_contest_file(CONTEST_FILES["2017"]).to_series(0)
        is_key = self.master["customer"].is_in(buyers.unique().to_list()).all()
        rows: list[list[PaperCell]] = [
            [None, "key to T" if is_key and self.master["customer"].is_unique().all() else ""],
            [None, ", ".join(sexes)],
            [None, f"decades {years[0]}–{years[-1]}"],
            [None, named_countries if set(named_countries.split(", ")) == countries else ""],
        ]
        sizes = np.bincount(equivalence_class_codes(self.master, list(MASTER_COLUMNS[1:])))
        smallest = Message("k of sex × decade × country: the rarest combination")
        stated = StatedValue(smallest, printed.entry["k"], int(sizes.min()))
        return ComputedBlock(rows, beside=[stated])

    def table5(self) -> ComputedBlock:
        """The countries of its customers in Online Retail, as the contest abstracts them."""
        countries = dict(
            self.retail_frame.select(
                pl.col("CustomerID").cast(pl.Float64).cast(pl.Int64), "Country"
            ).iter_rows()
        )
        named = set(self.master["country"])
        printed = self.published_block("table5")
        rows: list[list[PaperCell]] = []
        explanations: dict[CellKey, Message] = {}
        for number, (customer, *_) in enumerate(printed.rows):
            country = countries.get(customer)
            rows.append([None, None, None, country if country in named else "Others"])
            explanations[number, "country"] = Message(
                "Customer {customer} comes from {country} in Online Retail; the customer table "
                "was made up for the contest of 2016, as section 2.4 says.",
                customer=customer,
                country=country,
            )
        return ComputedBlock(rows, explanations=explanations, why=MADE_UP_CUSTOMERS)

    def table6(self) -> ComputedBlock:
        """Its rows, which are in Online Retail, once each."""
        return ComputedBlock(
            [self._match_row_once(row) for row in self.published_block("table6").rows]
        )

    def _match_row_once(self, row: Sequence[PaperCell]) -> list[PaperCell]:
        customer, _, day, time, item, price, quantity = row
        moment = datetime.strptime(f"{day} {time}", "%Y/%m/%d %H:%M")
        matches = self.retail_frame.filter(
            pl.col("CustomerID").cast(pl.Float64) == customer,
            pl.col("InvoiceDate").cast(pl.Datetime("us")).dt.truncate("1m") == moment,
            pl.col("StockCode") == item,
            pl.col("UnitPrice") == price,
            pl.col("Quantity") == quantity,
        )
        matches_once = matches.height == 1
        return [
            customer if matches_once else matches.height,
            self.only_invoice,
            *(row[2:] if matches_once else [None] * 5),
        ]

    @cached_property
    def only_invoice(self) -> PaperCell:
        """The one number in the invoice column of the contest's history."""
        invoices = self.read_contest_file(CONTEST_FILES["2017"]).to_series(1).unique().to_list()
        return int(invoices[0]) if len(invoices) == 1 else len(invoices)

    table7 = printed_only(
        Message(
            "How the contest read the law: a reading cannot be computed. `tokumei conform` gathers "
            "the evidence for all five items, `--effects` that of the two candidates for item 4."
        )
    )

    def figure2(self) -> ComputedBlock:
        """Three hits among three customers in two periods."""
        printed = self.published_block("figure2").entry["readable"]
        customers, periods = printed["customers"], printed["periods"]
        truth = _number_pseudonyms(customers, periods)
        hits = {tuple(hit) for hit in printed["hits"]}
        guess = [
            [name if (period + 1, name) in hits else "DEL" for period, name in enumerate(row)]
            for row in truth
        ]
        claims = GuessClaims.of_table(_to_pseudonym_table(guess), _to_pseudonym_table(truth))
        rate = reid_scores(claims)["reid_pairs"].value
        bottom = customers * periods
        names = self.published_block("figure2").column("name")
        rows = [
            [None, f"{round(rate * bottom)}/{bottom}"] if name == "value" else None
            for name in names
        ]
        return ComputedBlock(rows, why=Message("The rest is what the example puts in."))

    figure1 = figure3 = figure4 = printed_only(PICTURE)
    rates2016 = printed_only(Message("The releases of the contest of 2016 were never published."))

    def supply_scores(self) -> ComputedBlock:
        """Dozens of pieces as the measure counts them."""
        measure = ItemCfSupply(as_paper=True)
        rows = []
        for name, _ in self.published_block("supply_scores").rows:
            ends = [int(end) for end in name.split("-")]
            scores = {int(score) for score in measure.entries(pl.Series(ends).to_numpy())}
            rows.append([None, scores.pop() if len(scores) == 1 else ""])
        return ComputedBlock(rows)

    def formula_values(self) -> ComputedBlock:
        """Formula 2 at its ends, and the order of magnitude of the rows."""
        bought_apart, bought_together = (
            sparse.csr_array(np.array(rows, dtype=np.float64)) for rows in FORMULA_PURCHASES
        )
        nothing = sparse.csr_array(bought_apart.shape)
        computed = {
            "distance_if_nothing_is_left": similarity_distance(
                bought_apart, nothing, diagonal=True
            ),
            "largest_distance": similarity_distance(bought_apart, bought_together),
            "rows_about": round(self.cleaned_retail.purchases.height, -5),
        }
        names = self.published_block("formula_values").column("name")
        return ComputedBlock([[None, computed[name]] for name in names])

    def contest_rows(self) -> ComputedBlock:
        """The rows of the contests' customers until the last day of the year they cover."""
        last = date.fromisoformat(str(self.recipe["last_day"]))
        year = self.cleaned_retail.purchases.filter(pl.col("day") <= last)
        rows = []
        for name, _ in self.published_block("contest_rows").rows:
            people = self.read_contest_file(CONTEST_FILES[name]).to_series(0).unique()
            rows.append([None, year.filter(pl.col("customer").is_in(people.to_list())).height])
        return ComputedBlock(rows)


FORMULA_PURCHASES = ([[1, 9, 0], [9, 1, 9], [0, 9, 1]], [[1, 1, 1], [1, 1, 1], [1, 1, 1]])
"""Items that hardly go together, and items that are always bought together: D is above 1."""
EVENT_FACTS = Message("The rest are facts of the events, and data of 2015 and 2016.")
MADE_UP_CUSTOMERS = Message(
    "Sex and decade were made up by the organisers; these customers are not in the published file."
)


def _format_moment(moment: datetime) -> str:
    return f"{moment.year}/{moment.month}/{moment.day} {moment.hour}:{moment.minute:02d}"


def _to_pseudonym_table(rows: Sequence[Sequence[str]]) -> PseudonymTable:
    customers = pl.Series("customer", [str(number) for number in range(len(rows))])
    return PseudonymTable.of_cells(customers, pl.DataFrame(list(rows), orient="row"))


def _number_pseudonyms(customers: int, periods: int) -> list[list[str]]:
    """A1, A2, … of the first customer, B1, … of the second, and so on."""
    return [
        [f"{chr(65 + customer)}{period + 1}" for period in range(periods)]
        for customer in range(customers)
    ]

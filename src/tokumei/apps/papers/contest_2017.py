"""Paper 001: the contest PWSCUP 2017, its data, rules of the law, and shares of right pairs."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from functools import cached_property

import numpy as np
import polars as pl

from tokumei.apps.papers.comparison import ComputedBlock, StatedValue
from tokumei.apps.papers.published_values import PaperCell
from tokumei.apps.papers.reproduction import PaperReproduction
from tokumei.core.generalized_cells import equivalence_class_codes
from tokumei.core.messages import SEMICOLON, Message, join_messages
from tokumei.files.reading import read_frame
from tokumei.histories.formats.online_retail import (
    SOURCE_COLUMNS,
    CleanedRetail,
    clean_online_retail,
)
from tokumei.pseudonyms.data.pseudonym_table import PseudonymTable
from tokumei.pseudonyms.measures.itemcf import ItemCfSupply
from tokumei.pseudonyms.measures.reidentification import GuessClaims, reid_scores
from tokumei.pseudonyms.registry import attackers

RETAIL_FILE = "online_retail.parquet"
CONTEST_FILES = {"2017": "pwscup2017/T.csv", "2018": "pwscup2018/T.csv"}
MASTER_FILE = "pwscup2017/M.csv"
MASTER_COLUMNS = ("customer", "sex", "decade", "country")


class ContestPaper(PaperReproduction):
    """The blocks of the paper."""

    @cached_property
    def retail_frame(self) -> pl.DataFrame:
        """Online Retail as it is given out."""
        return read_frame(self.data_file(RETAIL_FILE))

    @cached_property
    def cleaned_retail(self) -> CleanedRetail:
        """What the contest's cleaning leaves of it."""
        return clean_online_retail(self.retail_frame, cleaning=self.recipe["cleaning"])

    @cached_property
    def master(self) -> pl.DataFrame:
        """The contest's customers."""
        return self._read_contest_file(MASTER_FILE, MASTER_COLUMNS)

    def _read_contest_file(self, name: str, columns: Sequence[str] = ()) -> pl.DataFrame:
        frame = pl.read_csv(self.data_file(name), has_header=False, infer_schema=False)
        return frame.rename(dict(zip(frame.columns, columns, strict=False)))

    def table1(self) -> ComputedBlock:
        """The column of 2017, counted in the contest's files."""
        history = self._read_contest_file(CONTEST_FILES["2017"])
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
        return ComputedBlock(rows)

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
            [[name, computed[name]] for name in self.published_block("table2").column("item")]
        )

    def table3(self) -> ComputedBlock:
        """The columns of Online Retail that it names."""
        names = self.published_block("table3").column("attribute")
        return ComputedBlock([[name if name in SOURCE_COLUMNS else "", None] for name in names])

    def table4(self) -> ComputedBlock:
        """The values of the customer table, and its smallest class."""
        sexes, decades = (sorted(self.master[name].unique()) for name in ("sex", "decade"))
        years = [int(day.split("/")[0]) for day in decades]
        countries = self.master["country"].value_counts(sort=True)["country"].to_list()
        named_countries = set(self.published_block("table4").rows[3][1].split(", "))
        rows: list[list[PaperCell]] = [
            ["CustomerID", None],
            ["Sex", ", ".join(sexes)],
            ["Generation", f"decades {years[0]}–{years[-1]}"],
            [
                "Country",
                self.published_block("table4").rows[3][1]
                if named_countries == set(countries)
                else "",
            ],
        ]
        sizes = np.bincount(equivalence_class_codes(self.master, list(MASTER_COLUMNS[1:])))
        smallest = Message("smallest class of sex × decade × country")
        return ComputedBlock(rows, beside=[StatedValue(smallest, 2, int(sizes.min()))])

    def table5(self) -> ComputedBlock:
        """Its customers are in Online Retail, with other countries, and not in the contest."""
        countries = dict(
            self.retail_frame.select(
                pl.col("CustomerID").cast(pl.Float64).cast(pl.Int64), "Country"
            ).iter_rows()
        )
        printed = self.published_block("table5")
        rows = [[None] * 4 + [countries.get(row[0])] for row in printed.rows]
        in_contest = self.master["customer"].is_in([str(row[0]) for row in printed.rows]).sum()
        stated = [StatedValue(Message("of these in the contest"), 0, int(in_contest))]
        return ComputedBlock(rows, beside=stated)

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
            None,
            *(row[2:] if matches_once else [None] * 5),
        ]

    def table7(self) -> ComputedBlock:
        """How the contest read the law: shown, not computed."""
        law = Message("The command conform writes the five items for a release.")
        return ComputedBlock(note=law)

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
        top, bottom = map(int, str(printed["value"]).split("/"))
        names = self.published_block("figure2").column("name")
        rows = [
            [name, f"{round(rate * bottom)}/{bottom}"] if name == "value" else None
            for name in names
        ]
        share = Message("share of right pairs")
        return ComputedBlock(rows, beside=[StatedValue(share, top / bottom, rate)])

    # Pictures of the flow, of the two matrices and of files; rates of submissions nobody published.
    figure1 = figure3 = figure4 = rates2016 = PaperReproduction.nothing_computed

    def supply_scores(self) -> ComputedBlock:
        """Dozens of pieces as the measure counts them."""
        measure = ItemCfSupply(as_paper=True)
        rows = []
        for name, _ in self.published_block("supply_scores").rows:
            ends = [int(end) for end in name.split("-")]
            scores = {int(score) for score in measure.entries(pl.Series(ends).to_numpy())}
            rows.append([name, scores.pop() if len(scores) == 1 else None])
        return ComputedBlock(rows)

    def sample_attacks(self) -> ComputedBlock:
        """Kinds of attacks; those that the contest gave out are S1 to S6 here."""
        samples = [name for name in attackers.names() if name.startswith("S")]
        attacks = [
            Message("{attack}: {title}", attack=name, title=attackers.get(name).title)
            for name in samples
        ]
        note = Message("Here: {attacks}.", attacks=join_messages(attacks, SEMICOLON))
        return ComputedBlock(note=note)

    def contest_rows(self) -> ComputedBlock:
        """The rows of the contests' customers until the last day of the year they cover."""
        last = date.fromisoformat(str(self.recipe["last_day"]))
        year = self.cleaned_retail.purchases.filter(pl.col("day") <= last)
        rows = []
        for name, _ in self.published_block("contest_rows").rows:
            people = self._read_contest_file(CONTEST_FILES[name]).to_series(0).unique()
            rows.append([name, year.filter(pl.col("customer").is_in(people.to_list())).height])
        return ComputedBlock(rows)


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

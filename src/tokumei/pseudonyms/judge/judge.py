"""The judge of pseudonyms over time (format `pws2017`).

U is made of the measures, S of `reid_all` of the suite with every knowledge T_α. A guess is one
table per α; its value is the mean over α of `reid_all`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from statistics import fmean
from typing import Any

import polars as pl
from pydantic import Field

from tokumei.core.errors import Fault
from tokumei.core.judging import (
    FormatJudge,
    Found,
    Options,
    SampleData,
    Size,
    Sound,
    Terms,
    known_key,
)
from tokumei.core.pseudonym_origin import PseudonymShowsCustomer
from tokumei.core.randomness import Randomness
from tokumei.files.contest_faults import LONGEST, name_length_faults
from tokumei.files.contest_text import ContestText, contest_bytes, contest_text
from tokumei.pseudonyms.attackers.sides import PeriodChallenge
from tokumei.pseudonyms.data.history import PeriodHistory
from tokumei.pseudonyms.data.knowledge import PartialKnowledge
from tokumei.pseudonyms.data.pseudonym_table import PeriodGuess, PseudonymTable
from tokumei.pseudonyms.data.rows import PERIOD_COLUMNS, PeriodRows
from tokumei.pseudonyms.data.sample import sample_periods
from tokumei.pseudonyms.formats.pws2017 import (
    master_output,
    period_names,
    read_period_history,
    read_rows,
    rows_output,
)
from tokumei.pseudonyms.measures.protocol import PeriodCase
from tokumei.pseudonyms.measures.reid import Answers, reid_scores
from tokumei.pseudonyms.verify.pws2017 import check_guess_table, check_release

RATES = ("reid_all", "reid_active", "reid_pairs")
Tables = Mapping[str, ContestText]


class PeriodOptions(Options):
    """How much of a cell drawn knowledge keeps."""

    prefix: dict[str, int] = Field(default_factory=lambda: {"item": 2})


class PeriodJudge(FormatJudge[PeriodRows, Tables]):
    """Judges A(T) and guesses of the pseudonym table."""

    files = ("original", "master")
    draws_knowledge = True
    player = "tokumei.pseudonyms.judge.player"
    options = PeriodOptions
    rules = {PseudonymShowsCustomer.name: PseudonymShowsCustomer}  # noqa: RUF012
    default_utility = (
        "itemcf_supply",
        "itemcf_retail",
        "topk",
        "topk_similarity",
        "date",
        "price",
        "rows",
    )
    default_attacks = ("S1", "S2", "S3", "S4", "S5", "S6")

    def __init__(self, terms: Terms) -> None:
        super().__init__(terms)
        data = terms.data
        self.history: PeriodHistory = read_period_history(data["original"], data["master"])
        self.known = {f"{alpha:g}": _known(terms, self.history, alpha) for alpha in terms.knowledge}
        self._spelling = Spelling(self.history.rows)

    @classmethod
    def sample(
        cls, terms: Terms, *, rows: int | None, customers: int | None, seed: int
    ) -> SampleData:
        """A year of a made-up shop with its customers, and what attackers know of it."""
        made = sample_periods(rows or 6_000, customers=customers, seed=seed)
        files = {
            "original": rows_output(made.rows, "T.csv"),
            "master": master_output(made.master, "M.csv"),
        }
        for alpha in terms.knowledge:
            drawn = PartialKnowledge(alpha=alpha, prefix=PeriodOptions().prefix)
            known = drawn.of(made.rows, rng=Randomness(seed))
            files[known_key(alpha)] = rows_output(known, f"T{100 * alpha:g}.csv")
        return SampleData(files)

    @property
    def source(self) -> PeriodHistory:
        """T with its customers."""
        return self.history

    @property
    def size(self) -> Size:
        """T's lines."""
        return Size(self.history.rows.rows)

    def unchanged(self) -> Sound[PeriodRows]:
        """T as A(T)."""
        return self._sound(self.history.rows)

    def read(self, texts: Mapping[str, bytes]) -> tuple[Sound[PeriodRows] | None, list[Fault]]:
        """A(T) in one spelling, or what is wrong with it."""
        (text,) = texts.values()
        found = contest_text(text, PERIOD_COLUMNS, where="")
        faults = check_release(self.history, found)
        faults += name_length_faults(found.frame, ("customer", "invoice"))
        if faults:
            return None, faults
        return self._sound(self._spelling.of(PeriodRows(found.frame))), []

    def _sound(self, rows: PeriodRows) -> Sound[PeriodRows]:
        return Sound(rows.cells, rows, lambda: rows.public().cells, lambda: self._truth(rows))

    def _truth(self, rows: PeriodRows) -> PseudonymTable:
        customers, months = self.history.master.customers, self.history.months
        return PseudonymTable.of_rows(self.history.rows, rows, customers=customers, months=months)

    def outputs(self, sound: Sound[PeriodRows]) -> tuple[bytes, bytes]:
        """S; for each customer and month, the pseudonym."""
        return contest_bytes(sound.seen), contest_bytes(sound.truth.cells())

    def utility(self, sound: Sound[PeriodRows], measures: Mapping[str, Any]) -> dict[str, float]:
        """Measures that compare A(T) with T row by row."""
        case = PeriodCase(self.history.rows, sound.made, self.history.master)
        return {name: case.score_of(one).value for name, one in measures.items()}

    def further(self, sound: Sound[PeriodRows]) -> dict[str, Any]:
        """How many rows are left, and how many pseudonyms they have."""
        seen = PeriodRows(sound.seen)
        return {"rows_kept": seen.rows / self.history.rows.rows, "pseudonyms": len(seen.people)}

    def challenges(self, sound: Sound[PeriodRows]) -> Mapping[str, PeriodChallenge]:
        """S, knowing T_α."""
        seen, customers = PeriodRows(sound.seen), self.history.master.customers
        return {
            alpha: PeriodChallenge(seen, known, customers, self.history.months)
            for alpha, known in self.known.items()
        }

    def found(self, sound: Sound[PeriodRows], answer: PeriodGuess) -> Found:
        """The share of all customers and months."""
        return Found(reid_scores(Answers.of_table(answer.table, sound.truth))["reid_all"].value)

    def guess_files(self) -> Sequence[str]:
        """One table per share of knowledge: F25.csv, F50.csv…"""
        return [f"F{100 * alpha:g}.csv" for alpha in self.terms.knowledge]

    def guess_size(self, public: bytes) -> Size:
        """A line for each customer, every pseudonym as long as it may be."""
        widest = len(self._columns) * (LONGEST + 1)
        return Size(len(self.history.master.customers), max(Size.line_bytes, widest))

    @cached_property
    def _columns(self) -> list[str]:
        return ["customer", *period_names(self.history.months.count)]

    def read_guess(self, public: bytes, texts: Mapping[str, bytes]) -> tuple[Tables, list[Fault]]:
        """A table for each knowledge."""
        columns = self._columns
        tables = {name: contest_text(text, columns, where=name) for name, text in texts.items()}
        seen = PeriodRows(contest_text(public, PERIOD_COLUMNS, where="S").frame)
        customers = self.history.master.customers
        faults = [
            fault
            for name, table in tables.items()
            for fault in check_guess_table(seen, customers, table, name=name)
        ]
        return tables, faults

    def score(self, public: bytes, truth: bytes, answer: Tables) -> Found:
        """The mean over α of the share found."""
        true = _table(contest_text(truth, self._columns, where="F"))
        found: dict[str, dict[str, float]] = {rate: {} for rate in RATES}
        for alpha, text in zip(self.known, answer.values(), strict=True):
            scores = reid_scores(Answers.of_table(_table(text), true))
            for rate in RATES:
                found[rate][alpha] = scores[rate].value
        return Found(fmean(found["reid_all"].values()), figures=found)


def _known(terms: Terms, history: PeriodHistory, alpha: float) -> PeriodRows:
    """T_α: the file of the contest, or drawn from T."""
    path = terms.data.get(known_key(alpha))
    if path is not None:
        return read_rows(path)
    drawn = PartialKnowledge(alpha=alpha, prefix=terms.options.prefix)
    return drawn.of(history.rows, rng=Randomness(terms.seed))


def _table(text: ContestText) -> PseudonymTable:
    return PseudonymTable.of_cells(text.frame["customer"], text.frame.drop("customer"))


_SPELLED = ("day", "time", "price", "quantity")


class Spelling:
    """How the original writes its values: how a number or a day is written could carry a message.

    2.50 → 2.5, 09:05 → 9:05, 2011/01/05 → 2011/1/5. A value that the original has too is written as
    there, so that the texts still agree.
    """

    def __init__(self, original: PeriodRows) -> None:
        self._known = {name: _spellings(original.cells[name]) for name in _SPELLED}

    def of(self, rows: PeriodRows) -> PeriodRows:
        """The rows, every value in its one spelling."""
        changed = [self._column(rows.cells[name]) for name in _SPELLED]
        return PeriodRows(rows.cells.with_columns(changed).select(PERIOD_COLUMNS))

    def _column(self, cells: pl.Series) -> pl.Series:
        distinct = cells.unique()
        plain = _plain(distinct)
        known = pl.DataFrame({"plain": plain}).join(
            self._known[cells.name], on="plain", how="left", maintain_order="left"
        )
        spelled = known["spelling"].zip_with(known["spelling"].is_not_null(), plain)
        return cells.replace_strict(distinct, spelled, return_dtype=pl.String).alias(cells.name)


def _spellings(cells: pl.Series) -> pl.DataFrame:
    """Plain form → the original's own, the first as text where it has several."""
    distinct = cells.unique().sort()
    both = pl.DataFrame({"plain": _plain(distinct), "spelling": distinct})
    return both.unique("plain", keep="first", maintain_order=True)


def _plain(cells: pl.Series) -> pl.Series:
    """Without zeros that say nothing."""
    if cells.name in ("day", "time"):
        return cells.str.replace_all(r"(^|[/])0+([0-9])", "${1}${2}")
    whole = cells.str.replace(r"^0+([0-9])", "$1")
    return whole.str.replace(r"(\.[0-9]*?)0+$", "$1").str.replace(r"\.$", "")

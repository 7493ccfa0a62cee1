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

from tokumei.core.derived_pseudonyms import PseudonymShowsCustomer
from tokumei.core.errors import Violation
from tokumei.core.format_judge import (
    AcceptedRelease,
    AttackOutcome,
    ContestTerms,
    FileSizeLimit,
    FormatJudge,
    FormatOptions,
    SampleData,
    knowledge_file_key,
)
from tokumei.files.contest_files import ContestRows, parse_contest_bytes, to_contest_bytes
from tokumei.files.contest_violations import MAX_NAME_BYTES, name_length_violations
from tokumei.pseudonyms.attackers.challenge import PeriodChallenge
from tokumei.pseudonyms.data.knowledge import PartialKnowledge
from tokumei.pseudonyms.data.period_history import PeriodHistory
from tokumei.pseudonyms.data.pseudonym_table import PeriodGuess, PseudonymTable
from tokumei.pseudonyms.data.purchase_text_cells import PERIOD_COLUMNS, PeriodRows
from tokumei.pseudonyms.data.sample_data import sample_periods
from tokumei.pseudonyms.formats.pws2017 import (
    Pws2017,
    master_output,
    period_column_names,
    read_rows,
    rows_output,
)
from tokumei.pseudonyms.measures.protocol import PeriodCase
from tokumei.pseudonyms.measures.reidentification import GuessClaims, reid_scores
from tokumei.pseudonyms.services.anonymize import read_periods
from tokumei.pseudonyms.services.knowledge import draw_knowledge
from tokumei.pseudonyms.services.requests import KnowledgeRequest, PeriodSource
from tokumei.pseudonyms.verification.pws2017 import check_guess_table, check_release

RATE_NAMES = ("reid_all", "reid_active", "reid_pairs")
GuessTables = Mapping[str, ContestRows]


class PeriodOptions(FormatOptions):
    """How much of a cell drawn knowledge keeps."""

    prefix: dict[str, int] = Field(default_factory=lambda: {"item": 2})


class PeriodJudge(FormatJudge[PeriodRows, GuessTables]):
    """Judges A(T) and guesses of the pseudonym table."""

    files = ("original", "master")
    draws_knowledge = True
    player = "tokumei.pseudonyms.judge.bots"
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

    def __init__(self, terms: ContestTerms) -> None:
        super().__init__(terms)
        data = terms.data
        layout = Pws2017(master=str(data["master"]))
        self.history = read_periods(PeriodSource(data=data["original"], layout=layout))
        self.known = {
            f"{alpha:g}": _load_knowledge(terms, self.history, alpha) for alpha in terms.knowledge
        }
        self._spelling = CanonicalSpelling(self.history.rows)

    @classmethod
    def sample(
        cls, terms: ContestTerms, *, rows: int | None, customers: int | None, seed: int
    ) -> SampleData:
        """A year of a made-up shop with its customers, and what attackers know of it."""
        history = sample_periods(rows or 6_000, customers=customers, seed=seed)
        return cls.data_of(history, terms, seed=seed)

    @classmethod
    def data_of(cls, history: PeriodHistory, terms: ContestTerms, *, seed: int) -> SampleData:
        """The files of a history, and what attackers know of it."""
        files = {
            "original": rows_output(history.rows, "T.csv"),
            "master": master_output(history.master, "M.csv"),
        }
        for alpha in terms.knowledge:
            known = _draw_share(history.rows, alpha, PeriodOptions(), seed)
            files[knowledge_file_key(alpha)] = rows_output(known, f"T{100 * alpha:g}.csv")
        return SampleData(files)

    @property
    def source(self) -> PeriodHistory:
        """T with its customers."""
        return self.history

    @property
    def size(self) -> FileSizeLimit:
        """T's lines."""
        return FileSizeLimit(self.history.rows.rows)

    def unchanged(self) -> AcceptedRelease[PeriodRows]:
        """T as A(T)."""
        return self._wrap_release(self.history.rows)

    def read(
        self, texts: Mapping[str, bytes]
    ) -> tuple[AcceptedRelease[PeriodRows] | None, list[Violation]]:
        """A(T) in one spelling, or what is wrong with it."""
        (text,) = texts.values()
        release_text = parse_contest_bytes(text, PERIOD_COLUMNS, where="")
        faults = check_release(self.history, release_text)
        faults += name_length_violations(release_text.frame, ("customer", "invoice"))
        if faults:
            return None, faults
        return self._wrap_release(self._spelling.of(PeriodRows(release_text.frame))), []

    def _wrap_release(self, rows: PeriodRows) -> AcceptedRelease[PeriodRows]:
        return AcceptedRelease(
            rows.cells, rows, lambda: rows.public().cells, lambda: self._true_table(rows)
        )

    def _true_table(self, rows: PeriodRows) -> PseudonymTable:
        customers, months = self.history.master.customers, self.history.months
        return PseudonymTable.of_rows(self.history.rows, rows, customers=customers, months=months)

    def outputs(self, sound: AcceptedRelease[PeriodRows]) -> tuple[bytes, bytes]:
        """S; for each customer and month, the pseudonym."""
        return to_contest_bytes(sound.seen), to_contest_bytes(sound.truth.cells())

    def utility(
        self, sound: AcceptedRelease[PeriodRows], measures: Mapping[str, Any]
    ) -> dict[str, float]:
        """Measures that compare A(T) with T row by row."""
        case = PeriodCase(self.history.rows, sound.made, self.history.master)
        return {name: case.score_of(measure).value for name, measure in measures.items()}

    def further(self, sound: AcceptedRelease[PeriodRows]) -> dict[str, Any]:
        """How many rows are left, and how many pseudonyms they have."""
        public_rows = PeriodRows(sound.seen)
        return {
            "rows_kept": public_rows.rows / self.history.rows.rows,
            "pseudonyms": len(public_rows.people),
        }

    def challenges(self, sound: AcceptedRelease[PeriodRows]) -> Mapping[str, PeriodChallenge]:
        """S, knowing T_α."""
        public_rows, customers = PeriodRows(sound.seen), self.history.master.customers
        return {
            alpha: PeriodChallenge(public_rows, known, customers, self.history.months)
            for alpha, known in self.known.items()
        }

    def found(self, sound: AcceptedRelease[PeriodRows], answer: PeriodGuess) -> AttackOutcome:
        """The share of all customers and months."""
        return AttackOutcome(
            reid_scores(GuessClaims.of_table(answer.table, sound.truth))["reid_all"].value
        )

    def guess_files(self) -> Sequence[str]:
        """One table per share of knowledge: F25.csv, F50.csv…"""
        return [f"F{100 * alpha:g}.csv" for alpha in self.terms.knowledge]

    def guess_size(self, public: bytes) -> FileSizeLimit:
        """A line for each customer, every pseudonym as long as it may be."""
        widest = len(self._table_columns) * (MAX_NAME_BYTES + 1)
        return FileSizeLimit(
            len(self.history.master.customers), max(FileSizeLimit.line_bytes, widest)
        )

    @cached_property
    def _table_columns(self) -> list[str]:
        return ["customer", *period_column_names(self.history.months.count)]

    def read_guess(
        self, public: bytes, texts: Mapping[str, bytes]
    ) -> tuple[GuessTables, list[Violation]]:
        """A table for each knowledge."""
        columns = self._table_columns
        tables = {
            name: parse_contest_bytes(text, columns, where=name) for name, text in texts.items()
        }
        public_rows = PeriodRows(parse_contest_bytes(public, PERIOD_COLUMNS, where="S").frame)
        customers = self.history.master.customers
        faults = [
            fault
            for name, table in tables.items()
            for fault in check_guess_table(public_rows, customers, table, name=name)
        ]
        return tables, faults

    def score(self, public: bytes, truth: bytes, answer: GuessTables) -> AttackOutcome:
        """The mean over α of the share found."""
        true = _parse_table(parse_contest_bytes(truth, self._table_columns, where="F"))
        rates_found: dict[str, dict[str, float]] = {rate: {} for rate in RATE_NAMES}
        for alpha, text in zip(self.known, answer.values(), strict=True):
            scores = reid_scores(GuessClaims.of_table(_parse_table(text), true))
            for rate in RATE_NAMES:
                rates_found[rate][alpha] = scores[rate].value
        return AttackOutcome(fmean(rates_found["reid_all"].values()), figures=rates_found)


def _load_knowledge(terms: ContestTerms, history: PeriodHistory, alpha: float) -> PeriodRows:
    """T_α: the file of the contest, or drawn from T."""
    path = terms.data.get(knowledge_file_key(alpha))
    if path is not None:
        return read_rows(path)
    return _draw_share(history.rows, alpha, terms.options, terms.seed)


def _draw_share(rows: PeriodRows, alpha: float, options: PeriodOptions, seed: int) -> PeriodRows:
    knowledge = PartialKnowledge(alpha=alpha, prefix=options.prefix)
    return draw_knowledge(KnowledgeRequest(rows=rows, knowledge=knowledge, seed=seed))


def _parse_table(text: ContestRows) -> PseudonymTable:
    return PseudonymTable.of_cells(text.frame["customer"], text.frame.drop("customer"))


_SPELLED_COLUMNS = ("day", "time", "price", "quantity")


class CanonicalSpelling:
    """How the original writes its values: how a number or a day is written could carry a message.

    2.50 → 2.5, 09:05 → 9:05, 2011/01/05 → 2011/1/5. A value that the original has too is written as
    there, so that the texts still agree.
    """

    def __init__(self, original: PeriodRows) -> None:
        self._known = {name: _original_spellings(original.cells[name]) for name in _SPELLED_COLUMNS}

    def of(self, rows: PeriodRows) -> PeriodRows:
        """The rows, every value in its one spelling."""
        changed = [self._respell_column(rows.cells[name]) for name in _SPELLED_COLUMNS]
        return PeriodRows(rows.cells.with_columns(changed).select(PERIOD_COLUMNS))

    def _respell_column(self, cells: pl.Series) -> pl.Series:
        distinct = cells.unique()
        plain = _strip_zeros(distinct)
        known = pl.DataFrame({"plain": plain}).join(
            self._known[cells.name], on="plain", how="left", maintain_order="left"
        )
        spelled = known["spelling"].zip_with(known["spelling"].is_not_null(), plain)
        return cells.replace_strict(distinct, spelled, return_dtype=pl.String).alias(cells.name)


def _original_spellings(cells: pl.Series) -> pl.DataFrame:
    """Plain form → the original's own, the first as text where it has several."""
    distinct = cells.unique().sort()
    spelling_table = pl.DataFrame({"plain": _strip_zeros(distinct), "spelling": distinct})
    return spelling_table.unique("plain", keep="first", maintain_order=True)


def _strip_zeros(cells: pl.Series) -> pl.Series:
    """Without zeros that say nothing."""
    if cells.name in ("day", "time"):
        return cells.str.replace_all(r"(^|[/])0+([0-9])", "${1}${2}")
    whole = cells.str.replace(r"^0+([0-9])", "$1")
    return whole.str.replace(r"(\.[0-9]*?)0+$", "$1").str.replace(r"\.$", "")

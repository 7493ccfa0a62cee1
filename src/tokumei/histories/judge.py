"""The judge of generalized histories (format `pws2018`).

U is the contest's loss; a release is unsafe if an attack's hits reach R(n). The suite answers for
everyone it can, and once more only where it is surest, since R(n) rewards few but right answers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl

from tokumei.core.derived_pseudonyms import PseudonymShowsCustomer
from tokumei.core.errors import Violation
from tokumei.core.format_judge import (
    FULL_KNOWLEDGE,
    AcceptedRelease,
    AttackOutcome,
    ContestTerms,
    FileSizeLimit,
    FormatJudge,
    SampleData,
)
from tokumei.core.json_types import JsonObject
from tokumei.files.contest_files import (
    ContestRows,
    contest_file_output,
    parse_contest_bytes,
    to_contest_bytes,
)
from tokumei.files.contest_violations import (
    ROW_COLUMN,
    identifier_violations,
    name_length_violations,
)
from tokumei.histories.attackers.protocol import HistoryChallenge, keep_surest_answers
from tokumei.histories.contest_files import check_contest_release, public_rows, true_pairs
from tokumei.histories.data.cell_parsing import parse_general_history
from tokumei.histories.data.generalized_history import GeneralHistory, format_history
from tokumei.histories.data.guess import HistoryGuess, HistoryHits, history_hits
from tokumei.histories.data.history import COLUMNS, History, sample_history
from tokumei.histories.formats.layout import GUESS_COLUMNS
from tokumei.histories.formats.pws2018 import Pws2018
from tokumei.histories.measures.protocol import LOSS_COLUMNS, HistoryCase, history_loss
from tokumei.histories.services.read import read_history
from tokumei.histories.services.requests import HistorySource
from tokumei.histories.verification.pws2018 import check_guess

TRUTH_COLUMNS = ("pseudonym", "customer")


@dataclass(frozen=True, eq=False)
class AlignedRelease:
    """The rows of A beside those of T, and what their cells mean."""

    original: History = field(repr=False)
    text: ContestRows = field(repr=False)

    @cached_property
    def general(self) -> GeneralHistory:
        """A with its cells understood."""
        return parse_general_history(self.text.frame, self.original)


class HistoryJudge(FormatJudge[AlignedRelease, ContestRows]):
    """Judges A and guesses of who is who."""

    rules = {PseudonymShowsCustomer.name: PseudonymShowsCustomer}  # noqa: RUF012
    own_figures = ("loss", *LOSS_COLUMNS)
    default_utility = ("loss",)
    default_attacks = ("unique-rows", "item-sets", "consistent", "best")

    def __init__(self, terms: ContestTerms) -> None:
        super().__init__(terms)
        source = HistorySource(data=terms.data["original"], layout=Pws2018())
        self.history = read_history(source).history

    @classmethod
    def sample(
        cls, terms: ContestTerms, *, rows: int | None, customers: int | None, seed: int
    ) -> SampleData:
        """A year of a made-up shop."""
        history = sample_history(rows or 6_000, customers=customers, seed=seed)
        return SampleData({"original": contest_file_output(format_history(history), "T.csv")})

    @property
    def source(self) -> History:
        """T."""
        return self.history

    @property
    def size(self) -> FileSizeLimit:
        """T's lines."""
        return FileSizeLimit(self.history.rows)

    def unchanged(self) -> AcceptedRelease[AlignedRelease]:
        """T as A."""
        plain = format_history(self.history)
        return self._wrap_release(ContestRows(plain, np.full(plain.height, len(COLUMNS))))

    def read(
        self, texts: Mapping[str, bytes]
    ) -> tuple[AcceptedRelease[AlignedRelease] | None, list[Violation]]:
        """A, or what is wrong with it."""
        (text,) = texts.values()
        release_text = parse_contest_bytes(text, COLUMNS, where="")
        faults = check_contest_release(self.history, release_text)
        faults += name_length_violations(release_text.frame, ("customer",))
        faults += identifier_violations(
            release_text.frame.with_row_index(ROW_COLUMN), self.history.customers
        )
        if faults:
            return None, faults
        return self._wrap_release(release_text), []

    def _wrap_release(self, rows: ContestRows) -> AcceptedRelease[AlignedRelease]:
        history, aligned = self.history, AlignedRelease(self.history, rows)
        return AcceptedRelease(
            rows.frame,
            aligned,
            lambda: public_rows(history, rows),
            lambda: true_pairs(history, rows),
        )

    def outputs(self, sound: AcceptedRelease[AlignedRelease]) -> tuple[bytes, bytes]:
        """S; for each pseudonym, the customer."""
        return to_contest_bytes(sound.seen), to_contest_bytes(sound.truth.select(TRUTH_COLUMNS))

    def utility(
        self, sound: AcceptedRelease[AlignedRelease], measures: Mapping[str, Any]
    ) -> dict[str, float]:
        """The contest's loss with its parts, and measures of histories."""
        general = sound.made.general
        losses = history_loss(self.history, general).as_json()
        case = HistoryCase(self.history, general)
        scores = {name: float(measure.score(case).value) for name, measure in measures.items()}
        return {name: losses[name] for name in self.own_figures} | scores

    def further(self, sound: AcceptedRelease[AlignedRelease]) -> JsonObject:
        """How many rows are left."""
        return {"rows_kept": sound.made.general.rows_kept}

    def challenges(self, sound: AcceptedRelease[AlignedRelease]) -> Mapping[str, HistoryChallenge]:
        """S, knowing all of T."""
        return {FULL_KNOWLEDGE: HistoryChallenge(sound.seen, self.history)}

    def found(self, sound: AcceptedRelease[AlignedRelease], answer: HistoryGuess) -> AttackOutcome:
        """The share of all customers, and the test R(n) of all answers and of the surest."""
        surest_answers = keep_surest_answers(answer, **self.terms.gate)
        tests = {
            "all": self._score_hits(answer, sound.truth),
            "surest": self._score_hits(surest_answers, sound.truth),
        }
        unsafe = any(test.unsafe for test in tests.values())
        figures = {part: _hit_figures(test) for part, test in tests.items()}
        return AttackOutcome(self._share_of_customers(tests["all"]), unsafe, figures)

    def _score_hits(self, guess: HistoryGuess | pl.DataFrame, truth: pl.DataFrame) -> HistoryHits:
        people = len(self.history.customers)
        return history_hits(guess, truth, customers=people, **self.terms.gate)

    def guess_files(self) -> Sequence[str]:
        """One file of lines pid,cid."""
        return ["F.csv"]

    def guess_size(self, public: bytes) -> FileSizeLimit:
        """A line for each customer."""
        return FileSizeLimit(len(self.history.customers))

    def read_guess(
        self, public: bytes, texts: Mapping[str, bytes]
    ) -> tuple[ContestRows, list[Violation]]:
        """Pairs of pseudonym and customer."""
        (text,) = texts.values()
        guess_text = parse_contest_bytes(text, GUESS_COLUMNS, where="")
        public_frame = parse_contest_bytes(public, COLUMNS, where="S").frame
        return guess_text, check_guess(public_frame, self.history.customers, guess_text)

    def score(self, public: bytes, truth: bytes, answer: ContestRows) -> AttackOutcome:
        """The share of all customers that were found, and the test R(n)."""
        hits = self._score_hits(
            answer.frame, parse_contest_bytes(truth, TRUTH_COLUMNS, where="F").frame
        )
        return AttackOutcome(self._share_of_customers(hits), hits.unsafe, _hit_figures(hits))

    def _share_of_customers(self, hits: HistoryHits) -> float:
        """The share of all customers: of those tried, one lucky line would be all."""
        return hits.hits / len(self.history.customers)


def _hit_figures(hits: HistoryHits) -> JsonObject:
    hit_data = hits.as_json()
    return {name: hit_data[name] for name in ("tried", "hits", "threshold", "unsafe", "rate")}

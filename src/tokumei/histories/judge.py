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

from tokumei.core.errors import Fault
from tokumei.core.judging import EVERYTHING, FormatJudge, Found, SampleData, Size, Sound, Terms
from tokumei.core.pseudonym_origin import PseudonymShowsCustomer
from tokumei.files.contest_faults import ROW, identifier_faults, name_length_faults
from tokumei.files.contest_text import ContestText, contest_bytes, contest_output, contest_text
from tokumei.histories.attackers.protocol import HistoryChallenge, surest
from tokumei.histories.contest_files import check_contest, public_rows, true_pairs
from tokumei.histories.data.general import GeneralHistory, history_text
from tokumei.histories.data.guess import HistoryGuess, HistoryHits, history_hits
from tokumei.histories.data.history import COLUMNS, History, sample_history
from tokumei.histories.data.parsing import parse_general
from tokumei.histories.formats.layout import PAIR
from tokumei.histories.formats.pws2018 import Pws2018
from tokumei.histories.measures.protocol import PARTS, HistoryCase, history_loss
from tokumei.histories.verify.pws2018 import check_guess

TRUTH = ("pseudonym", "customer")


@dataclass(frozen=True, eq=False)
class Aligned:
    """The rows of A beside those of T, and what their cells mean."""

    original: History = field(repr=False)
    text: ContestText = field(repr=False)

    @cached_property
    def general(self) -> GeneralHistory:
        """A with its cells understood."""
        return parse_general(self.text.frame, self.original)


class HistoryJudge(FormatJudge[Aligned, ContestText]):
    """Judges A and guesses of who is who."""

    rules = {PseudonymShowsCustomer.name: PseudonymShowsCustomer}  # noqa: RUF012
    own_figures = ("loss", *PARTS)
    default_utility = ("loss",)
    default_attacks = ("unique-rows", "item-sets", "consistent", "best")

    def __init__(self, terms: Terms) -> None:
        super().__init__(terms)
        self.history: History = Pws2018().read(terms.data["original"])

    @classmethod
    def sample(
        cls, terms: Terms, *, rows: int | None, customers: int | None, seed: int
    ) -> SampleData:
        """A year of a made-up shop."""
        history = sample_history(rows or 6_000, customers=customers, seed=seed)
        return SampleData({"original": contest_output(history_text(history), "T.csv")})

    @property
    def source(self) -> History:
        """T."""
        return self.history

    @property
    def size(self) -> Size:
        """T's lines."""
        return Size(self.history.rows)

    def unchanged(self) -> Sound[Aligned]:
        """T as A."""
        plain = history_text(self.history)
        return self._sound(ContestText(plain, np.full(plain.height, len(COLUMNS))))

    def read(self, texts: Mapping[str, bytes]) -> tuple[Sound[Aligned] | None, list[Fault]]:
        """A, or what is wrong with it."""
        (text,) = texts.values()
        found = contest_text(text, COLUMNS, where="")
        faults = check_contest(self.history, found)
        faults += name_length_faults(found.frame, ("customer",))
        faults += identifier_faults(found.frame.with_row_index(ROW), self.history.customers)
        if faults:
            return None, faults
        return self._sound(found), []

    def _sound(self, rows: ContestText) -> Sound[Aligned]:
        history, made = self.history, Aligned(self.history, rows)
        return Sound(
            rows.frame, made, lambda: public_rows(history, rows), lambda: true_pairs(history, rows)
        )

    def outputs(self, sound: Sound[Aligned]) -> tuple[bytes, bytes]:
        """S; for each pseudonym, the customer."""
        return contest_bytes(sound.seen), contest_bytes(sound.truth.select(TRUTH))

    def utility(self, sound: Sound[Aligned], measures: Mapping[str, Any]) -> dict[str, float]:
        """The contest's loss with its parts, and measures of histories."""
        general = sound.made.general
        losses = history_loss(self.history, general).as_json()
        case = HistoryCase(self.history, general)
        scores = {name: float(one.score(case).value) for name, one in measures.items()}
        return {name: losses[name] for name in self.own_figures} | scores

    def further(self, sound: Sound[Aligned]) -> dict[str, Any]:
        """How many rows are left."""
        return {"rows_kept": sound.made.general.rows_kept}

    def challenges(self, sound: Sound[Aligned]) -> Mapping[str, HistoryChallenge]:
        """S, knowing all of T."""
        return {EVERYTHING: HistoryChallenge(sound.seen, self.history)}

    def found(self, sound: Sound[Aligned], answer: HistoryGuess) -> Found:
        """The share of all customers, and the test R(n) of all answers and of the surest."""
        few = surest(answer, **self.terms.gate)
        tests = {"all": self._hits(answer, sound.truth), "surest": self._hits(few, sound.truth)}
        unsafe = any(test.unsafe for test in tests.values())
        figures = {part: _plain(test) for part, test in tests.items()}
        return Found(self._share(tests["all"]), unsafe, figures)

    def _hits(self, guess: HistoryGuess | pl.DataFrame, truth: pl.DataFrame) -> HistoryHits:
        people = len(self.history.customers)
        return history_hits(guess, truth, customers=people, **self.terms.gate)

    def guess_files(self) -> Sequence[str]:
        """One file of lines pid,cid."""
        return ["F.csv"]

    def guess_size(self, public: bytes) -> Size:
        """A line for each customer."""
        return Size(len(self.history.customers))

    def read_guess(
        self, public: bytes, texts: Mapping[str, bytes]
    ) -> tuple[ContestText, list[Fault]]:
        """Pairs of pseudonym and customer."""
        (text,) = texts.values()
        found = contest_text(text, PAIR, where="")
        seen = contest_text(public, COLUMNS, where="S").frame
        return found, check_guess(seen, self.history.customers, found)

    def score(self, public: bytes, truth: bytes, answer: ContestText) -> Found:
        """The share of all customers that were found, and the test R(n)."""
        hits = self._hits(answer.frame, contest_text(truth, TRUTH, where="F").frame)
        return Found(self._share(hits), hits.unsafe, _plain(hits))

    def _share(self, hits: HistoryHits) -> float:
        """The share of all customers: of those tried, one lucky line would be all."""
        return hits.hits / len(self.history.customers)


def _plain(hits: HistoryHits) -> dict[str, Any]:
    found = hits.as_json()
    return {name: found[name] for name in ("tried", "hits", "threshold", "unsafe", "rate")}

"""A population in memory that answers one price question after the other.

    session = PriceSession(frame, PriceList.read("prices.csv"))
    answer = session.ask(Question(k=5))
    answer.as_json()["choice"]                       # {"年齢": "decades", …}
    session.ask(Question(k=5), prices=PriceList.read("tomorrow.csv"))
    session.release(answer)                          # the recoded table, with its claim

Group sizes depend neither on k nor on prices, so they are kept: only the first question is slow.
Any number of threads may ask. No answer is given whose groups were not counted a second time, by
other code than the search's.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from math import prod
from typing import Any

import numpy as np
import polars as pl

from tokumei.core.errors import ClaimError, InputError
from tokumei.core.progress import meter
from tokumei.core.text import Text
from tokumei.files.frames import to_polars
from tokumei.price.build import price_problem, priced_columns, value_counts
from tokumei.price.dictionary import PriceList
from tokumei.price.group_tables import Sizes
from tokumei.price.groups import Groups
from tokumei.price.problem import DELETE, Answer, Candidate, PriceProblem, Question
from tokumei.price.recoding import RecodedTuples, recoded, recoded_tuples, tuple_numbers
from tokumei.price.search import Search, real_worth
from tokumei.tables.data.counted import COUNT, counts_of
from tokumei.tables.data.table import Release, simple_frame
from tokumei.tables.engines.local import engine_of

PRICE_LISTS = 16
"""Price lists whose problems are kept."""
RECOUNTED = 10_000
"""Answers whose counts are kept."""
RECOUNT_SECONDS = 2e-7
"""About what counting again takes per distinct tuple."""
MOST_KEYS = 2**63


@dataclass(frozen=True, eq=False)
class PriceAnswer:
    """The answers to a question, best first; none, if none meets it or was found in time."""

    problem: PriceProblem = field(repr=False)
    prices: PriceList = field(repr=False)
    question: Question
    answers: list[Answer]
    seconds: float

    @property
    def best(self) -> Answer:
        """The best answer; fails if there is none."""
        if not self.answers:
            raise ClaimError(_no_answer(self.question))
        return self.answers[0]

    def as_json(self) -> dict[str, Any]:
        """The best answer as plain data; with several wanted, all of them."""
        found = self.best.as_json(self.problem, self.question)
        if self.question.best > 1:
            every = [answer.as_json(self.problem, self.question) for answer in self.answers]
            found["answers"] = every
        return found | {"prices": self.prices.record(), "seconds": round(self.seconds, 4)}


class PriceSession:
    """Frequencies and group sizes of one population."""

    def __init__(
        self, frame: Any, prices: PriceList, *, columns: Sequence[str] | None = None
    ) -> None:
        """Count the people of a pandas, Polars or Arrow frame by the columns of a price list.

        A row may stand for many people (`data/counted.py`).
        """
        given = to_polars(frame)
        self.frame: pl.DataFrame = simple_frame(given.drop(COUNT, strict=False))
        if (counts := counts_of(given)) is not None:
            self.frame = self.frame.with_columns(counts)
        if not self.frame.height:
            raise InputError("there are no rows to count", "数える行がありません")
        self.columns = priced_columns(self.frame.columns, prices, columns)
        self.prices = prices
        self._frequencies = engine_of(self.frame).tuples(self.columns)
        self._counts = value_counts(self._frequencies)
        self._lock = threading.Lock()
        self._problems: OrderedDict[int, tuple[PriceList, PriceProblem]] = OrderedDict()
        self._recounted: dict[Candidate, Sizes] = {}
        self._groups = Groups(self.problem())

    @property
    def rows(self) -> int:
        """How many people."""
        counts = counts_of(self.frame)
        return self.frame.height if counts is None else int(counts.sum())

    @property
    def tuples(self) -> np.ndarray:
        """The number of every row's tuple in a problem's codes."""
        return tuple_numbers(self._frequencies)

    def problem(self, prices: PriceList | None = None) -> PriceProblem:
        """The people under a price list, which must fit them."""
        wanted = prices or self.prices
        with self._lock:
            if id(wanted) in self._problems:
                self._problems.move_to_end(id(wanted))
                return self._problems[id(wanted)][1]
        made = price_problem(self._frequencies, wanted, self.columns, counts=self._counts)
        with self._lock:
            # The list is kept too, so that its id stays its own.
            self._problems[id(wanted)] = (wanted, made)
            if len(self._problems) > PRICE_LISTS:
                self._problems.popitem(last=False)
        return made

    def ask(
        self,
        question: Question | None = None,
        *,
        prices: PriceList | None = None,
        cancelled: Callable[[], bool] = lambda: False,
    ) -> PriceAnswer:
        """The best recodings under this or another price list; ends soon after `cancelled`."""
        started = time.perf_counter()
        asked = question or Question()
        problem = self.problem(prices)
        with meter(Text("searching", "探索中")):
            answers = Search(problem, self._groups, self._hurried(asked), cancelled=cancelled).run()
        for answer in answers:
            require_same(answer, self._counted(problem, answer.candidate), asked)
        used = time.perf_counter() - started
        return PriceAnswer(problem, prices or self.prices, asked, answers, used)

    def worth(
        self, candidate: Candidate, k: int, *, prices: PriceList | None = None
    ) -> tuple[int, ...]:
        """What a candidate is worth per attribute, without people in groups smaller than k."""
        problem = self.problem(prices)
        return real_worth(problem, self._groups.view(problem), candidate, k)

    def words(self, asked: PriceAnswer, *, starred: bool = False) -> RecodedTuples:
        """What the best answer makes of every row of the frame, if it is kept."""
        return recoded_tuples(self._frequencies, asked, asked.best, starred=starred)

    def release(self, asked: PriceAnswer, *, place: int = 0, **options: Any) -> Release:
        """The people recoded as the best answer (or another) says; options as `recoded` has."""
        answer = asked.answers[place] if place else asked.best
        return recoded(self.frame, self._frequencies, asked, answer, **options)

    def _hurried(self, question: Question) -> Question:
        """The question with the time that counting the answers again leaves."""
        if question.seconds is None:
            return question
        again = question.best * RECOUNT_SECONDS * len(self._frequencies.counts)
        return replace(question, seconds=max(question.seconds - again, question.seconds / 2))

    def _counted(self, problem: PriceProblem, candidate: Candidate) -> Sizes:
        common = self._groups.view(problem).common(candidate)
        found = self._recounted.get(common)
        if found is None:
            if len(self._recounted) >= RECOUNTED:
                self._recounted.clear()
            found = self._recounted[common] = recounted(problem, candidate)
        return found


def _no_answer(question: Question) -> Text:
    late = "" if question.seconds is None else f" ({question.seconds:g} s)"
    return Text(
        f"no recoding reaches k = {question.k} and keeps what must stay{late}",
        f"残すべきものを残したまま k = {question.k} にする加工は見つかりません{late}",
    )


def recounted(problem: PriceProblem, candidate: Candidate) -> Sizes:
    """The group sizes of a candidate by one Polars group-by over the distinct tuples' words."""
    chosen = [
        (f"c{j}", one.patterns[place], problem.codes[:, j])
        for j, (one, place) in enumerate(zip(problem.attributes, candidate, strict=True))
        if place != DELETE
    ]
    if not chosen:
        return Sizes(np.array([problem.rows]), np.array([problem.rows]))
    words = pl.DataFrame(
        {
            name: pl.Series(pattern.up).cast(pl.UInt32).gather(pl.Series(codes))
            for name, pattern, codes in chosen
        }
    ).with_columns(people=pl.Series(problem.counts))
    keys = _one_key([(name, len(pattern.words)) for name, pattern, _ in chosen])
    sizes = words.group_by(keys).agg(pl.col("people").sum())["people"]
    counted = sizes.value_counts().sort("people")
    size, often = counted["people"].to_numpy(), counted["count"].to_numpy().astype(np.int64)
    return Sizes(size, np.cumsum(size * often))


def _one_key(columns: list[tuple[str, int]]) -> list[pl.Expr]:
    """One number for all words, if there are not too many; it is grouped several times faster."""
    if prod(words for _, words in columns) > MOST_KEYS:
        return [pl.col(name) for name, _ in columns]
    key = pl.lit(0, dtype=pl.Int64)
    for name, words in columns:
        key = key * words + pl.col(name).cast(pl.Int64)
    return [key.alias("key")]


def require_same(answer: Answer, counted: Sizes, question: Question) -> None:
    """Fail unless an answer's k and left-out rows are what was counted."""
    k, below = counted.smallest_from(question.k), counted.rows_below(question.k)
    if (answer.k, answer.suppressed) != (k, below) or k < question.k:
        raise ClaimError(
            f"the answer's k ({answer.k}) is not what counting again gives ({k}); "
            "the answer is withheld",
            f"回答の k ({answer.k}) が再計数 ({k}) と異なるため、出力しません",
        )

"""A population in memory that answers many price queries.

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
from typing import Unpack

import numpy as np
import polars as pl

from tokumei.apps.price.build_problem import (
    build_price_problem,
    count_values,
    select_priced_columns,
)
from tokumei.apps.price.group_counts import GroupSizes
from tokumei.apps.price.group_sizes import GroupCounter
from tokumei.apps.price.price_list import PriceList
from tokumei.apps.price.problem import (
    DELETE_INDEX,
    AnswerRecord,
    Candidate,
    PriceProblem,
    Question,
    RecodingAnswer,
)
from tokumei.apps.price.recoding import (
    RecodedTuples,
    RecodingOptions,
    recode_frame,
    recode_tuples,
    tuple_by_row,
)
from tokumei.apps.price.search import RecodingSearch, worth_after_suppression
from tokumei.core.errors import ClaimError, InputError
from tokumei.core.messages import Message
from tokumei.core.progress import progress_bar
from tokumei.files.frame_conversion import to_polars
from tokumei.tables.data.simple_frame import require_simple_frame
from tokumei.tables.data.table import Release
from tokumei.tables.data.weighted_rows import COUNT_COLUMN, row_count_column
from tokumei.tables.engines.local import engine_for_frame

MAX_KEPT_PROBLEMS = 16
"""Price lists whose problems are kept."""
MAX_KEPT_RECOUNTS = 10_000
"""Answers whose counts are kept."""
RECOUNT_SECONDS = 2e-7
"""About what counting again takes per distinct tuple."""
MAX_KEY = 2**63


@dataclass(frozen=True, eq=False)
class PriceAnswer:
    """The answers to a question, best first; none, if none meets it or was found in time."""

    problem: PriceProblem = field(repr=False)
    prices: PriceList = field(repr=False)
    question: Question
    answers: list[RecodingAnswer]
    seconds: float

    @property
    def best(self) -> RecodingAnswer:
        """The best answer; fails if there is none."""
        if not self.answers:
            raise ClaimError(_describe_no_answer(self.question))
        return self.answers[0]

    def as_json(self) -> AnswerRecord:
        """The best answer as plain data; with several wanted, all of them."""
        record = self.best.as_json(self.problem, self.question)
        if self.question.best > 1:
            all_answers = [answer.as_json(self.problem, self.question) for answer in self.answers]
            record["answers"] = all_answers
        record["prices"], record["seconds"] = self.prices.record(), round(self.seconds, 4)
        return record


class PriceSession:
    """Frequencies and group sizes of one population."""

    def __init__(
        self, frame: object, prices: PriceList, *, columns: Sequence[str] | None = None
    ) -> None:
        """Count the people of a pandas, Polars or Arrow frame by the columns of a price list.

        A row may stand for many people (`data/weighted_rows.py`).
        """
        source_frame = to_polars(frame)
        self.frame: pl.DataFrame = require_simple_frame(
            source_frame.drop(COUNT_COLUMN, strict=False)
        )
        if (counts := row_count_column(source_frame)) is not None:
            self.frame = self.frame.with_columns(counts)
        if not self.frame.height:
            raise InputError("there are no rows to count")
        self.columns = select_priced_columns(self.frame.columns, prices, columns)
        self.prices = prices
        self._frequencies = engine_for_frame(self.frame).tuples(self.columns)
        self._counts = count_values(self._frequencies)
        self._lock = threading.Lock()
        self._problems: OrderedDict[int, tuple[PriceList, PriceProblem]] = OrderedDict()
        self._recounted_sizes: dict[Candidate, GroupSizes] = {}
        self._groups = GroupCounter(self.problem())

    @property
    def rows(self) -> int:
        """How many people."""
        counts = row_count_column(self.frame)
        return self.frame.height if counts is None else int(counts.sum())

    @property
    def tuples(self) -> np.ndarray:
        """The number of every row's tuple in a problem's codes."""
        return tuple_by_row(self._frequencies)

    def problem(self, prices: PriceList | None = None) -> PriceProblem:
        """The people under a price list, which must fit them."""
        price_list = prices or self.prices
        with self._lock:
            if id(price_list) in self._problems:
                self._problems.move_to_end(id(price_list))
                return self._problems[id(price_list)][1]
        problem = build_price_problem(
            self._frequencies, price_list, self.columns, counts=self._counts
        )
        with self._lock:
            # The list is kept too, so that its id stays its own.
            self._problems[id(price_list)] = (price_list, problem)
            if len(self._problems) > MAX_KEPT_PROBLEMS:
                self._problems.popitem(last=False)
        return problem

    def ask(
        self,
        question: Question | None = None,
        *,
        prices: PriceList | None = None,
        cancelled: Callable[[], bool] = lambda: False,
    ) -> PriceAnswer:
        """The best recodings under this or another price list; ends soon after `cancelled`."""
        started = time.perf_counter()
        effective_question = question or Question()
        problem = self.problem(prices)
        with progress_bar(Message("searching")):
            answers = RecodingSearch(
                problem,
                self._groups,
                self._reserve_recount_time(effective_question),
                cancelled=cancelled,
            ).run()
        for answer in answers:
            require_matching_counts(
                answer, self._recount_sizes(problem, answer.candidate), effective_question
            )
        elapsed = time.perf_counter() - started
        return PriceAnswer(problem, prices or self.prices, effective_question, answers, elapsed)

    def worth(
        self, candidate: Candidate, k: int, *, prices: PriceList | None = None
    ) -> tuple[int, ...]:
        """The value of a candidate per attribute, without people in groups smaller than k."""
        problem = self.problem(prices)
        return worth_after_suppression(problem, self._groups.view(problem), candidate, k)

    def words(self, price_answer: PriceAnswer, *, starred: bool = False) -> RecodedTuples:
        """The recoded cells of every row under the best answer, and whether the row is kept."""
        return recode_tuples(self._frequencies, price_answer, price_answer.best, starred=starred)

    def release(
        self, price_answer: PriceAnswer, *, place: int = 0, **options: Unpack[RecodingOptions]
    ) -> Release:
        """The people recoded as the best answer, or the one at `place`, says."""
        answer = price_answer.answers[place] if place else price_answer.best
        return recode_frame(self.frame, self._frequencies, price_answer, answer, **options)

    def _reserve_recount_time(self, question: Question) -> Question:
        """The question with the time that counting the answers again leaves."""
        if question.seconds is None:
            return question
        recount_seconds = question.best * RECOUNT_SECONDS * len(self._frequencies.counts)
        return replace(
            question, seconds=max(question.seconds - recount_seconds, question.seconds / 2)
        )

    def _recount_sizes(self, problem: PriceProblem, candidate: Candidate) -> GroupSizes:
        partition_candidate = self._groups.view(problem).common(candidate)
        group_sizes = self._recounted_sizes.get(partition_candidate)
        if group_sizes is None:
            if len(self._recounted_sizes) >= MAX_KEPT_RECOUNTS:
                self._recounted_sizes.clear()
            group_sizes = self._recounted_sizes[partition_candidate] = recount_groups(
                problem, candidate
            )
        return group_sizes


def _describe_no_answer(question: Question) -> Message:
    if question.seconds is None:
        return Message("no recoding reaches k = {k} and keeps what must stay", k=question.k)
    return Message(
        "no recoding was found in {seconds:g} s that reaches k = {k} and keeps what must stay",
        seconds=question.seconds,
        k=question.k,
    )


def recount_groups(problem: PriceProblem, candidate: Candidate) -> GroupSizes:
    """The group sizes of a candidate by one Polars group-by over the distinct tuples' words."""
    chosen_patterns = [
        (
            f"c{attribute_index}",
            attribute.patterns[pattern_index],
            problem.codes[:, attribute_index],
        )
        for attribute_index, (attribute, pattern_index) in enumerate(
            zip(problem.attributes, candidate, strict=True)
        )
        if pattern_index != DELETE_INDEX
    ]
    if not chosen_patterns:
        return GroupSizes(np.array([problem.rows]), np.array([problem.rows]))
    words = pl.DataFrame(
        {
            name: pl.Series(pattern.up).cast(pl.UInt32).gather(pl.Series(codes))
            for name, pattern, codes in chosen_patterns
        }
    ).with_columns(people=pl.Series(problem.counts))
    keys = _combined_key([(name, len(pattern.words)) for name, pattern, _ in chosen_patterns])
    sizes = words.group_by(keys).agg(pl.col("people").sum())["people"]
    size_counts = sizes.value_counts().sort("people")
    size, size_frequencies = (
        size_counts["people"].to_numpy(),
        size_counts["count"].to_numpy().astype(np.int64),
    )
    return GroupSizes(size, np.cumsum(size * size_frequencies))


def _combined_key(columns: list[tuple[str, int]]) -> list[pl.Expr]:
    """One number for all words, if there are not too many; it is grouped several times faster."""
    if prod(words for _, words in columns) > MAX_KEY:
        return [pl.col(name) for name, _ in columns]
    key = pl.lit(0, dtype=pl.Int64)
    for name, words in columns:
        key = key * words + pl.col(name).cast(pl.Int64)
    return [key.alias("key")]


def require_matching_counts(
    answer: RecodingAnswer, group_sizes: GroupSizes, question: Question
) -> None:
    """Fail unless an answer's k and left-out rows are what was counted."""
    k, below = group_sizes.smallest_from(question.k), group_sizes.rows_below(question.k)
    if (answer.k, answer.suppressed) != (k, below) or k < question.k:
        raise ClaimError(
            "the answer's k ({k}) is not what counting again gives ({counted}); the answer is "
            "withheld",
            k=answer.k,
            counted=k,
        )

"""Price-optimal recoding: the first answer, another k, other prices; many attributes; many rows."""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import polars as pl

from bench.harness import Result, apart
from tokumei.apps.price.datasets.sample_people import sample_prices
from tokumei.apps.price.price_list import PriceList
from tokumei.apps.price.problem import Question
from tokumei.apps.price.session import PriceSession
from tokumei.apps.price.summary_tables import expected_cost

MILLION = 1_000_000
KS = (3, 5, 10, 20, 50)
DAYS = range(2, 13)
BUDGET = 2.0
FLOOR = "one Polars group-by of the columns"


def results() -> list[Result]:
    return [*_million(correlated=False), *_million(correlated=True), *_twelve(), *_ten_million()]


def price_lists(days: range | tuple[int, ...], columns: int = 7) -> list[PriceList]:
    """Price lists of several days, every price drawn anew."""
    with tempfile.TemporaryDirectory() as folder:
        found = []
        for day in days:
            path = Path(folder, f"{day}.csv")
            sample_prices(1, seed=day, columns=columns)[1].write_csv(path)
            found.append(PriceList.read(path))
        return found


def _million(*, correlated: bool) -> list[Result]:
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder, "people.parquet"))
        floor, _ = apart(write_people, path, MILLION, correlated)
        (first, k, prices, expected), peak = apart(repeated_questions, path)
    people = f"{MILLION:,} rows, 7 {'correlated ' if correlated else ''}attributes"
    return [
        Result(
            f"price: first answer, {people}",
            first,
            floor,
            FLOOR,
            "≤ 2 s CPU" if correlated else "≤ 1 s CPU and ≤ 400 MB",
            peak,
        ),
        Result(f"price: another k, {people}", k, floor, FLOOR, "≤ 0.2 s CPU"),
        Result(f"price: other prices (median), {people}", prices, floor, FLOOR, "≤ 0.2 s CPU"),
        Result(
            f"price: seconds expected before the run, {people}",
            expected,
            first,
            "the first answer",
            "within × 3",
        ),
    ]


def write_people(path: str, rows: int, correlated: bool) -> float:
    """Make the people elsewhere, so that their making counts in no memory; gives the floor."""
    people = sample_prices(rows, seed=1, correlated=correlated)[0]
    people.write_parquet(path)
    return _group_by(people)


def repeated_questions(path: str) -> tuple[float, float, float, float]:
    """CPU seconds: the first answer, the median for other k, for other prices; the expected."""
    today, *others = price_lists((1, *DAYS))
    session = PriceSession(pl.read_parquet(path), today)
    expected = expected_cost(session.problem()).seconds
    first = _cpu(partial(session.ask, Question(k=2)))
    again = [_cpu(partial(session.ask, Question(k=k))) for k in KS]
    new = [_cpu(partial(session.ask, Question(k=5), prices=one)) for one in others]
    return first, statistics.median(again), statistics.median(new), expected


def _twelve() -> list[Result]:
    (seconds, gap), _ = apart(many_attributes, MILLION)
    what = f"price: best so far (gap {gap:.0%}), {MILLION:,} rows, 12 attributes"
    return [Result(what, seconds, None, "", f"≤ {BUDGET:g} s budget")]


def many_attributes(rows: int) -> tuple[float, float]:
    people = sample_prices(rows, seed=1, columns=12)[0]
    session = PriceSession(people, price_lists((1,), 12)[0])
    started = time.perf_counter()
    gap = session.ask(Question(k=5, seconds=BUDGET)).as_json()["gap"]
    return time.perf_counter() - started, gap or 0.0


def _ten_million() -> list[Result]:
    (seconds, floor), peak = apart(first_answer, 10 * MILLION)
    what = f"price: counting and first answer, {10 * MILLION:,} rows, 7 attributes"
    return [Result(what, seconds, floor, FLOOR, "≤ 10 s CPU", peak)]


def first_answer(rows: int) -> tuple[float, float]:
    people = sample_prices(rows, seed=1)[0]
    (prices,) = price_lists((1,))
    ours = _cpu(lambda: PriceSession(people, prices).ask(Question(k=2)))
    return ours, _group_by(people)


def _group_by(people: pl.DataFrame) -> float:
    return _cpu(lambda: people.group_by(people.columns).len())


def _cpu(work: Callable[[], object]) -> float:
    """CPU seconds of all threads: the machine may be busy otherwise."""
    started = time.process_time()
    work()
    return time.process_time() - started

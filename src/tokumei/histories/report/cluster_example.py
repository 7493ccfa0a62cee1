"""Example rows of a few customers before and after anonymization.

    invented_example("rank-match").steps      # nobody's data: three made-up customers
    cluster_example(history, release, rng=rng)  # original rows of one random cluster: internal

Neither holds a customer's name or a pseudonym; the second holds original rows, and says so.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

import numpy as np
import polars as pl

from tokumei.core.messages import Message, join_messages
from tokumei.core.randomness import Randomness
from tokumei.histories.data.generalized_history import format_general_history, format_history
from tokumei.histories.data.history import COLUMNS, History
from tokumei.histories.data.release import HistoryRelease
from tokumei.histories.registry import anonymizers

INVENTED_K = 3


class ExampleRow(NamedTuple):
    """The cells of one purchase, as a file writes them: day, item, price, quantity."""

    day: Message
    item: Message
    price: Message
    quantity: Message


@dataclass(frozen=True)
class ExampleStep:
    """One row of each customer of a cluster, and the one row that all of them become."""

    before: tuple[ExampleRow, ...]
    after: ExampleRow


@dataclass(frozen=True)
class ClusterExample:
    """A cluster of customers: rows made alike, rows left out; `internal` if they are real."""

    people: int
    steps: tuple[ExampleStep, ...]
    left_out: tuple[tuple[int, ExampleRow], ...]
    all_steps: int
    all_left_out: int
    internal: bool


_GOODS = (
    Message("mug"),
    Message("tea towel"),
    Message("lantern"),
    Message("notebook"),
    Message("candle"),
    Message("apron"),
    Message("cake tin"),
)
# fmt: off
_INVENTED_PURCHASES = (
    ("A", date(2025, 3, 4), "lantern", 12.5, 2), ("A", date(2025, 3, 4), "mug", 3.25, 6),
    ("A", date(2025, 5, 19), "candle", 1.45, 12), ("A", date(2025, 6, 2), "notebook", 0.85, 10),
    ("B", date(2025, 3, 9), "lantern", 12.5, 1), ("B", date(2025, 4, 1), "apron", 4.95, 4),
    ("B", date(2025, 5, 23), "candle", 1.45, 24),
    ("C", date(2025, 3, 6), "cake tin", 8.5, 1), ("C", date(2025, 3, 28), "mug", 2.95, 12),
    ("C", date(2025, 6, 11), "tea towel", 1.25, 6),
)
# fmt: on


def invented_example(method: str) -> ClusterExample:
    """The method on three made-up customers; they are nobody's rows."""
    frame = pl.DataFrame(_INVENTED_PURCHASES, schema=list(COLUMNS), orient="row")
    history = History.of(frame)
    anonymizer = anonymizers.build(method, {"k": INVENTED_K})
    release = anonymizer.anonymize(history, rng=Randomness(0))
    return _build_example(history, release, np.arange(INVENTED_K), most=10, internal=False)


def cluster_example(
    history: History, release: HistoryRelease, *, rng: Randomness, most: int = 5
) -> ClusterExample:
    """Original and released rows of one random cluster, `most` of them: not to be handed out."""
    kept, none = release.rows.kept, np.iinfo(np.int64).max
    # The first group of every customer: equal for the customers of a cluster.
    first = np.full(len(release.customers), none)
    np.minimum.at(first, release.rows.person[kept], release.rows.day.code[kept])
    cluster = rng.generator.choice(np.unique(first[first < none]))
    return _build_example(
        history, release, np.flatnonzero(first == cluster), most=most, internal=True
    )


def _build_example(
    history: History, release: HistoryRelease, people: np.ndarray, *, most: int, internal: bool
) -> ClusterExample:
    own_rows = np.flatnonzero(np.isin(history.customer_codes, people))
    group = release.rows.day.code
    deleted_rows = own_rows[~release.rows.kept[own_rows]]
    groups = np.unique(group[own_rows[release.rows.kept[own_rows]]])
    original_text, released_text = format_history(history), format_general_history(release.rows)
    steps = []
    for number in groups[:most]:
        rows = own_rows[group[own_rows] == number]
        rows = rows[np.argsort(history.customer_codes[rows], kind="stable")]
        before = tuple(_format_row(original_text, row) for row in rows)
        steps.append(ExampleStep(before, _format_row(released_text, rows[0])))
    place = {int(code): at for at, code in enumerate(people)}
    left_out = tuple(
        (place[int(history.customer_codes[r])], _format_row(original_text, r))
        for r in deleted_rows[:most]
    )
    return ClusterExample(
        len(people), tuple(steps), left_out, len(groups), len(deleted_rows), internal
    )


def _format_row(frame: pl.DataFrame, row: int) -> ExampleRow:
    cells = (str(frame[name][int(row)]) for name in COLUMNS[1:])
    return ExampleRow(*map(_translate_goods, cells))


def _translate_goods(cell: str) -> Message:
    """Made-up goods translated, alone or inside a set; any other cell as it is."""
    goods = {good.id: good for good in _GOODS}
    names = cell.removeprefix("{").removesuffix("}").split(";")
    if not goods.keys() >= set(names):
        return Message.verbatim(cell)
    translated = join_messages([goods[name] for name in names], Message.verbatim(";"))
    if not cell.startswith("{"):
        return translated
    return Message.of_texts({lang: f"{{{text}}}" for lang, text in translated.texts().items()})

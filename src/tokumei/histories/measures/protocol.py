"""What a measure of released histories is: the original and its release in, one score out."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

import numpy as np

from tokumei.core.errors import InputError
from tokumei.core.measure import Measure
from tokumei.histories.data.general import DELETED, GeneralHistory
from tokumei.histories.data.history import History
from tokumei.histories.measures.loss import HistoryLoss, history_loss


@dataclass(frozen=True, eq=False)
class HistoryCase:
    """A history and its release, row by row: the secret side, so nothing of it is shown."""

    original: History = field(repr=False)
    released: GeneralHistory = field(repr=False)

    def __post_init__(self) -> None:
        _require_rows(self.original.rows, self.released.rows)
        _require_decimals(self.original.decimals, self.released.decimals)

    @cached_property
    def loss(self) -> HistoryLoss:
        """The contest's loss with its parts; computed once for all that tell of it."""
        return history_loss(self.original, self.released)

    @cached_property
    def pseudonym(self) -> np.ndarray:
        """The place of every customer's pseudonym, DELETED for who has no released row.

        Should a customer have several, which the contest's rules forbid, it is the one of the
        first released row: the user of the data cannot know that the others are the same person.
        """
        found = np.full(len(self.original.customers), DELETED, dtype=np.int64)
        backwards = np.flatnonzero(self.released.kept)[::-1]
        found[self.original.customer_codes[backwards]] = self.released.person[backwards]
        return found


class HistoryMeasure(Measure[HistoryCase], Protocol):
    """Scores one released history against its original."""


def _require_rows(original: int, released: int) -> None:
    if original != released or not original:
        raise InputError(
            f"the original has {original} rows and its release {released}; both need the "
            "same rows, at least one (deleted ones stay in as *)",
            f"元の履歴は {original} 行、匿名加工した履歴は {released} 行です。"
            "削除した行も * として残し、同じ行数 (1 行以上) にしてください",
        )


def _require_decimals(original: int, released: int) -> None:
    if original != released:
        raise InputError(
            f"prices have {original} decimals in the original but {released} in its release",
            f"価格の小数は元の履歴で {original} 桁、匿名加工した履歴で {released} 桁です",
        )

"""What the service needs of a session: its rows, its columns and its answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from tokumei.price.dictionary import PriceList
from tokumei.price.question import Question
from tokumei.price.session import PriceAnswer


class Session(Protocol):
    """People, counted once; questions about them from any thread. A `PriceSession` is one."""

    @property
    def rows(self) -> int:
        """How many people."""
        ...

    @property
    def columns(self) -> Sequence[str]:
        """The columns that questions can be about."""
        ...

    def ask(
        self,
        question: Question | None = None,
        *,
        prices: PriceList | None = None,
        cancelled: Callable[[], bool] = ...,
    ) -> PriceAnswer:
        """The best answers, and the problem they are about."""
        ...

"""What a check on a cluster found."""

from __future__ import annotations

from dataclasses import dataclass

from tokumei.core.errors import ClaimError, Fault
from tokumei.core.text import Text

LISTED = 1000


@dataclass(frozen=True)
class Found:
    """The first violations, how many there are, and how many rows were looked at, if counted."""

    faults: list[Fault]
    total: int
    rows: int | None = None

    def require(self, rows: int) -> None:
        """Fail, naming the first violations, unless there are none in so many rows."""
        if self.rows not in (None, rows):
            raise RuntimeError(f"{rows} rows should have been written, but there are {self.rows}")
        if self.total:
            raise ClaimError(
                Text(
                    "the release does not keep its claim, so nothing is written",
                    "匿名加工データが主張を満たさないため、何も書き出しません",
                ),
                faults=self.faults,
                total=self.total,
            )

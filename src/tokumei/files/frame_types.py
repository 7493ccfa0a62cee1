"""What type checkers know of other libraries' frames, whether these are installed or not."""

from __future__ import annotations

from typing import Any, Protocol


class Frame(Protocol):
    """A frame in memory: pandas, Polars, Arrow."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """The rows for other libraries."""
        ...


class SparkFrame(Protocol):
    """A DataFrame of Spark, whose rows are on a cluster."""

    @property
    def sparkSession(self) -> Any:  # Spark's name
        """The connection to the cluster."""
        ...

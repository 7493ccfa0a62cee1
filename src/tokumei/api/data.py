"""Implements `tk.read`, `tk.read_history` and `tk.sample`.

history = tk.read_history("T.csv", format="table", columns={"customer": "ID"})
people = tk.sample("tables", 1000, seed=1)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, overload

from tokumei.core.data_kind import DataKind
from tokumei.core.errors import UnknownNameError
from tokumei.core.messages import Message
from tokumei.core.registry import build_layout
from tokumei.files.file_formats import AnyPath
from tokumei.kinds import all_kinds
from tokumei.kinds import kind as kind_named

if TYPE_CHECKING:
    from tokumei.api.types import Columns
    from tokumei.files.frame_conversion import ArrowFrame, SparkFrame
    from tokumei.histories.data.history import History
    from tokumei.histories.spark.reading import SparkHistory
    from tokumei.pseudonyms.data.period_history import PeriodHistory
    from tokumei.tables.data.table import Table


@overload
def read(
    path: AnyPath,
    *,
    format: Literal["table"] = "table",
    qi: Columns | None = None,
    sa: Columns | None = None,
    ids: Columns | None = None,
    kinds: Mapping[str, str] | None = None,
    sep: str | None = None,
    encoding: str = "auto",
    sheet: str | None = None,
    header_row: int | Literal["none"] | None = None,
    encoding_errors: Literal["strict", "replace"] = "strict",
) -> Table: ...
@overload
def read(path: AnyPath, *, format: str, **options: object) -> Any: ...
def read(path: AnyPath, *, format: str = "table", **options: Any) -> object:
    """The data in a file, by the name of its layout, whose fields are the options.

    `table` is a table here, read as by `read_table` (`qi`, `sa`, `ids`, …); for a history with a
    header see `read_history`.
    """
    if format == "table":
        from tokumei.tables.services.read_table import read_table

        return read_table(path, **options)
    return _read(all_kinds(), path, format, options)


@overload
def read_history(
    path: AnyPath | ArrowFrame, *, format: str, master: AnyPath | ArrowFrame, encoding: str = "auto"
) -> PeriodHistory: ...


@overload
def read_history(path: SparkFrame, *, format: str = "table", **options: object) -> SparkHistory: ...


@overload
def read_history(
    path: AnyPath | ArrowFrame,
    *,
    format: str = "table",
    columns: Mapping[str, str] | None = None,
    sep: str | None = None,
    encoding: str = "auto",
    **options: Any,
) -> History: ...


def read_history(
    path: AnyPath | ArrowFrame | SparkFrame, *, format: str = "table", **options: object
) -> object:
    """The purchases in a file or a frame; all cells that cannot be read are listed.

    `columns` names the columns of a `table` that are not called customer, day, item, price,
    quantity. Other formats have options of their own; one of pseudonyms over time needs the
    `master`: the file or frame of the customers.
    """
    return _read([kind for kind in all_kinds() if kind.noun == "history"], path, format, options)


@overload
def sample(
    kind: Literal["tables"], rows: int, *, seed: int | None = None, **options: object
) -> Table: ...
@overload
def sample(
    kind: Literal["histories"], rows: int, *, seed: int | None = None, **options: object
) -> History: ...
@overload
def sample(
    kind: Literal["pseudonyms"], rows: int, *, seed: int | None = None, **options: object
) -> PeriodHistory: ...
@overload
def sample(kind: str, rows: int, *, seed: int | None = None, **options: object) -> Any: ...
def sample(kind: str, rows: int, *, seed: int | None = None, **options: object) -> object:
    """Look-alike data of a kind: `tables`, `histories`, `pseudonyms`, …"""
    return kind_named(kind).flow.sample(rows, seed=seed, **options)


def _read(
    kinds: Sequence[DataKind], path: Any, format: str, options: Mapping[str, object]
) -> object:
    """The data in a file or frame by the first kind that has the format."""
    for kind in kinds:
        if format in kind.formats.names():
            if kind.flow.read is not None:
                return kind.flow.read(path, format, options)
            return build_layout(kind.formats, format, options).read(path)
    names = dict.fromkeys(name for kind in kinds for name in kind.formats.names())
    raise UnknownNameError(Message("format"), format, list(names))

"""Types of the arguments of the public functions, for type checkers."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, Protocol, TypeAlias

if TYPE_CHECKING:
    from tokumei.files.frame_conversion import ArrowFrame
    from tokumei.tables.anonymizers.protocol import TableMethod
    from tokumei.tables.data.table import Table

Columns = str | Sequence[str]
"""Names of columns; a single one may be a text."""
Hierarchies = str | Mapping[str, str]
"""Where hierarchies are: "auto", a folder, or a file (or "auto:…") for each column."""
Params = Mapping[str, Mapping[str, object]]
"""Parameters of attacks or measures, by their names."""
TableSource: TypeAlias = "Table | ArrowFrame | str | os.PathLike[str]"
"""A table in memory or in a file."""
TableMethods: TypeAlias = "str | TableMethod | Sequence[Mapping[str, object]]"
"""A method's name, a pipeline ("mondrian,swap"), an anonymizer, or steps with parameters."""


class OtherData(Protocol):
    """Data of a kind that another package brings, or a release of it."""

    tokumei_kind: ClassVar[str]
    """The name of the kind."""

"""How anonymous any frame is, in one line each, whoever made it.

tk.k_anonymity(frame, ["age", "sex"])                 # 3
tk.l_diversity(frame, ["age", "sex"], ["disease"])    # 2
tk.t_closeness(frame, ["age", "sex"], ["disease"])    # 0.4
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tokumei.core.cells import class_codes
from tokumei.core.errors import InputError, UsageError
from tokumei.tables.data.table import AnyRelease, Release, Table
from tokumei.tables.verify.class_rule import class_values
from tokumei.tables.verify.t_closeness import equal_distance

Names = str | Sequence[str]


def k_anonymity(frame: AnyRelease, qi: Names, *, person: str | None = None) -> int:
    """The k of a frame: how many rows share their quasi-identifiers at least.

    With `person`, how many different people do.
    """
    table, columns = _read(frame, qi, () if person is None else (person,))
    codes = class_codes(table.frame, columns)
    if person is not None:
        who = table.frame[person]
        named = ~who.is_null().to_numpy()
        both = np.column_stack([codes, class_codes(table.frame, [person])])[named]
        people = np.unique(both, axis=0)[:, 0]
        return int(np.bincount(people, minlength=int(codes.max()) + 1).min())
    return int(np.bincount(codes).min())


def l_diversity(frame: AnyRelease, qi: Names, sa: Names) -> int:
    """The distinct l of a frame: how many values of each sensitive column a class has at least."""
    table, columns = _read(frame, qi, _listed(sa))
    found = class_values(table, columns, _listed(sa))
    return min(int(np.bincount(one.owner, minlength=len(one.first)).min()) for one in found)


def t_closeness(frame: AnyRelease, qi: Names, sa: Names) -> float:
    """The t of a frame, all values equally far: how far a class is from the whole at most."""
    table, columns = _read(frame, qi, _listed(sa))
    found = class_values(table, columns, _listed(sa))
    return max(float(equal_distance(one).max()) for one in found)


def _listed(names: Names) -> list[str]:
    return [names] if isinstance(names, str) else list(names)


def _read(frame: AnyRelease, qi: Names, more: Sequence[str]) -> tuple[Table, list[str]]:
    columns = _listed(qi)
    if not columns:
        raise UsageError("name at least one quasi-identifier", "準識別子を一つ以上指定してください")
    table = frame.public if isinstance(frame, Release) else Table.of(frame, qi=columns, sa=[])
    table.schema.require((*columns, *more))
    if not table.rows:
        raise InputError("there are no rows", "行がありません")
    return table, columns

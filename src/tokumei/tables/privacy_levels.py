"""k-anonymity, l-diversity and t-closeness of any frame.

tk.k_anonymity(frame, ["age", "sex"])                 # 3
tk.l_diversity(frame, ["age", "sex"], ["disease"])    # 2
tk.t_closeness(frame, ["age", "sex"], ["disease"])    # 0.4
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tokumei.core.errors import InputError, UsageError
from tokumei.core.generalized_cells import equivalence_class_codes
from tokumei.tables.data.table import AnyRelease, Release, Table
from tokumei.tables.verification.class_check_base import class_values
from tokumei.tables.verification.t_closeness import equal_distance

ColumnNames = str | Sequence[str]


def k_anonymity(frame: AnyRelease, qi: ColumnNames, *, person: str | None = None) -> int:
    """The k of a frame: how many rows share their quasi-identifiers at least.

    With `person`, how many different people do.
    """
    table, columns = _table_with_quasi_identifiers(frame, qi, () if person is None else (person,))
    codes = equivalence_class_codes(table.frame, columns)
    if person is not None:
        persons = table.frame[person]
        has_person = ~persons.is_null().to_numpy()
        class_person_pairs = np.column_stack(
            [codes, equivalence_class_codes(table.frame, [person])]
        )[has_person]
        people = np.unique(class_person_pairs, axis=0)[:, 0]
        return int(np.bincount(people, minlength=int(codes.max()) + 1).min())
    return int(np.bincount(codes).min())


def l_diversity(frame: AnyRelease, qi: ColumnNames, sa: ColumnNames) -> int:
    """The distinct l of a frame: how many values of each sensitive column a class has at least."""
    table, columns = _table_with_quasi_identifiers(frame, qi, _to_list(sa))
    columns_by_class = class_values(table, columns, _to_list(sa))
    return min(
        int(np.bincount(class_column.owner, minlength=len(class_column.first)).min())
        for class_column in columns_by_class
    )


def t_closeness(frame: AnyRelease, qi: ColumnNames, sa: ColumnNames) -> float:
    """The t of a frame, all values equally far: how far a class is from the whole at most."""
    table, columns = _table_with_quasi_identifiers(frame, qi, _to_list(sa))
    columns_by_class = class_values(table, columns, _to_list(sa))
    return max(float(equal_distance(class_column).max()) for class_column in columns_by_class)


def _to_list(names: ColumnNames) -> list[str]:
    return [names] if isinstance(names, str) else list(names)


def _table_with_quasi_identifiers(
    frame: AnyRelease, qi: ColumnNames, extra_columns: Sequence[str]
) -> tuple[Table, list[str]]:
    columns = _to_list(qi)
    if not columns:
        raise UsageError("name at least one quasi-identifier")
    table = frame.public if isinstance(frame, Release) else Table.of(frame, qi=columns, sa=[])
    table.schema.require((*columns, *extra_columns))
    if not table.rows:
        raise InputError("there are no rows")
    return table, columns

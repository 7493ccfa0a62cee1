"""Roles and kinds: given ones win, wrong ones are named."""

from __future__ import annotations

import pytest

from tokumei.core.errors import UnknownNameError, UsageError
from tokumei.tables.data.schema import Column, ColumnKind, Role, Schema

SCHEMA = Schema(
    (
        Column("who", Role.ID, ColumnKind.CATEGORY),
        Column("age", Role.QI, ColumnKind.INTEGER),
        Column("sex", Role.QI, ColumnKind.CATEGORY),
        Column("income", Role.SA, ColumnKind.REAL),
        Column("note", Role.OTHER, ColumnKind.CATEGORY),
    )
)


def test_names_by_role() -> None:
    assert (SCHEMA.ids, SCHEMA.qi, SCHEMA.sa, SCHEMA.others) == (
        ["who"],
        ["age", "sex"],
        ["income"],
        ["note"],
    )
    assert SCHEMA["age"].kind is ColumnKind.INTEGER


def test_roles_once_given_leave_the_rest_as_other() -> None:
    found = SCHEMA.with_roles(qi=["note"], sa=["age"])
    assert (found.ids, found.qi, found.sa) == ([], ["note"], ["age"])
    assert found.others == ["who", "sex", "income"]
    assert found["age"].reason.show("en") == "given"
    assert found["age"].kind is ColumnKind.INTEGER


def test_no_roles_given_is_no_change_but_an_empty_list_is_a_choice() -> None:
    assert SCHEMA.with_roles() is SCHEMA
    assert SCHEMA.with_roles(qi=[]).qi == []
    assert SCHEMA.with_roles(qi=[]).others == SCHEMA.names


def test_two_roles_for_one_column() -> None:
    with pytest.raises(UsageError, match="'age' cannot be both quasi-identifier and sensitive"):
        SCHEMA.with_roles(qi=["age"], sa=["age"])
    assert SCHEMA.with_roles(qi=["age", "age"]).qi == ["age"]


def test_unknown_columns_name_the_nearest_and_the_file() -> None:
    with pytest.raises(UnknownNameError, match=r"x.csv: unknown column 'agee'. Did you mean 'age'"):
        SCHEMA.with_roles(qi=["agee"], where="x.csv")
    with pytest.raises(UnknownNameError, match="Did you mean 'income'"):
        SCHEMA["incom"]


def test_a_name_twice() -> None:
    with pytest.raises(UsageError, match="named twice"):
        Schema((SCHEMA.columns[0], SCHEMA.columns[0]))


def test_keep_is_in_the_schemas_order() -> None:
    assert SCHEMA.keep(["income", "age"]).names == ["age", "income"]


@pytest.mark.parametrize(
    ("kind", "is_number"),
    [
        (ColumnKind.INTEGER, True),
        (ColumnKind.REAL, True),
        (ColumnKind.DATE, False),
        (ColumnKind.CATEGORY, False),
    ],
)
def test_which_kinds_have_distances(kind: ColumnKind, is_number: bool) -> None:
    assert kind.is_number is is_number

"""Schema of a table: the role and kind of each column.

schema = infer_schema(frame)                       # a first guess, with reasons
schema = schema.with_roles(qi=["age", "sex"], sa=["income"])
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from tokumei.core.errors import UnknownNameError, UsageError, Violation
from tokumei.core.messages import Message


class Role(StrEnum):
    """Why a column matters."""

    ID = "identifier"
    QI = "quasi-identifier"
    SA = "sensitive"
    OTHER = "other"

    @property
    def words(self) -> Message:
        """What a person calls it."""
        return _ROLE_WORDS[self]


class ColumnKind(StrEnum):
    """What a column's values are."""

    INTEGER = "integer"
    REAL = "real"
    DATE = "date"
    CATEGORY = "category"

    @property
    def words(self) -> Message:
        """What a person calls it."""
        return _KIND_WORDS[self]

    @property
    def is_number(self) -> bool:
        """Whether distances between values make sense."""
        return self in (ColumnKind.INTEGER, ColumnKind.REAL)


_ROLE_WORDS = {
    Role.ID: Message("identifier", context="the role of a column"),
    Role.QI: Message("quasi-identifier", context="the role of a column"),
    Role.SA: Message("sensitive", context="the role of a column"),
    Role.OTHER: Message("other", context="the role of a column"),
}
_KIND_WORDS = {
    ColumnKind.INTEGER: Message("integer", context="the kind of a column"),
    ColumnKind.REAL: Message("real", context="the kind of a column"),
    ColumnKind.DATE: Message("date", context="the kind of a column"),
    ColumnKind.CATEGORY: Message("category", context="the kind of a column"),
}
COLUMN_NOUN = Message("column")
GIVEN_REASON = Message("given", stable_code="given")


@dataclass(frozen=True)
class Column:
    """One column: its name, role, kind, and why it was given them."""

    name: str
    role: Role
    kind: ColumnKind
    reason: Message = GIVEN_REASON


@dataclass(frozen=True)
class Schema:
    """The columns of a table, in order."""

    columns: tuple[Column, ...]

    def __post_init__(self) -> None:
        if len({column.name for column in self.columns}) != len(self.columns):
            raise UsageError("a column is named twice")

    @property
    def names(self) -> list[str]:
        """All column names."""
        return [column.name for column in self.columns]

    @property
    def qi(self) -> list[str]:
        """Names of the quasi-identifiers."""
        return self._names_with_role(Role.QI)

    @property
    def sa(self) -> list[str]:
        """Names of the sensitive attributes."""
        return self._names_with_role(Role.SA)

    @property
    def ids(self) -> list[str]:
        """Names of the identifiers."""
        return self._names_with_role(Role.ID)

    @property
    def others(self) -> list[str]:
        """Names of the columns that pass unchanged."""
        return self._names_with_role(Role.OTHER)

    def __getitem__(self, name: str) -> Column:
        for column in self.columns:
            if column.name == name:
                return column
        raise UnknownNameError(COLUMN_NOUN, name, self.names)

    def require(self, names: Iterable[str], *, where: str = "") -> None:
        """Fail, naming the nearest column, if one of `names` does not exist."""
        unknown = [name for name in names if name not in self.names]
        errors = [UnknownNameError(COLUMN_NOUN, name, self.names, where=where) for name in unknown]
        if not errors:
            return
        faults = [
            Violation(rule="column", column=err.name, message=err.message) for err in errors[1:]
        ]
        raise UnknownNameError(COLUMN_NOUN, unknown[0], self.names, where=where, faults=faults)

    def with_roles(
        self,
        *,
        qi: str | Sequence[str] | None = None,
        sa: str | Sequence[str] | None = None,
        ids: str | Sequence[str] | None = None,
        where: str = "",
    ) -> Schema:
        """Override roles. Once any role is given, columns that are not named pass as OTHER.

        A single column may be a text.
        """
        named = {Role.QI: qi, Role.SA: sa, Role.ID: ids}
        names_by_role = {
            role: (one,) if isinstance(one, str) else one for role, one in named.items()
        }
        roles: dict[str, Role] = {}
        for role, names in names_by_role.items():
            self.require(names or (), where=where)
            for name in names or ():
                if roles.get(name, role) is not role:
                    raise UsageError(
                        "column '{column}' cannot be both {role} and {other_role}",
                        column=name,
                        role=roles[name].words,
                        other_role=role.words,
                    )
                roles[name] = role
        if not roles and all(names is None for names in names_by_role.values()):
            return self
        columns = (
            replace(c, role=roles.get(c.name, Role.OTHER), reason=GIVEN_REASON)
            for c in self.columns
        )
        return Schema(tuple(columns))

    def keep(self, names: Iterable[str]) -> Schema:
        """Only the named columns, in this schema's order."""
        kept_names = set(names)
        return Schema(tuple(c for c in self.columns if c.name in kept_names))

    def _names_with_role(self, role: Role) -> list[str]:
        return [column.name for column in self.columns if column.role is role]

"""The checks as SQL: the dbt package, and its queries as plain text for any other tool.

    for query in check_sql("shop.customers", qi=["age", "sex"], k=5, dialect="postgres"):
        assert not connection.execute(query).fetchall()

Every query gives a row for each class that breaks a model, so an empty answer means that it holds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

from tokumei.core.errors import UsageError
from tokumei.core.messages import Message
from tokumei.tables.services.requests import column_names

Dialect = Literal["duckdb", "postgres", "default"]


def dbt_package() -> Path:
    """The folder of the dbt package, for `local:` in packages.yml."""
    return Path(__file__).parent / "dbt"


def check_sql(
    relation: str,
    *,
    qi: str | Sequence[str],
    k: int | None = None,
    l: int | None = None,  # noqa: E741  the literature's name
    t: float | None = None,
    sa: str | Sequence[str] = (),
    person: str | None = None,
    dialect: Dialect = "default",
) -> list[str]:
    """Queries on a relation, whose name stands in them as it is given; columns are quoted.

    They are those of the dbt package. `default` is standard SQL: texts are compared without case.
    """
    columns, sensitive = column_names(qi) or (), column_names(sa) or ()
    if not columns or (k is None and l is None and t is None):
        raise UsageError("give the columns of classes (qi) and k, l or t")
    if (l is not None or t is not None) and not sensitive:
        raise UsageError("l and t are about sensitive columns: name them (sa)", field="sa")
    macros = _load_macros(dialect)
    return list(
        _queries(macros, relation, columns, k=k, l=l, t=t, sensitive=sensitive, person=person)
    )


def _queries(
    macros: Any,
    relation: str,
    columns: Sequence[str],
    *,
    k: int | None,
    l: int | None,  # noqa: E741
    t: float | None,
    sensitive: Sequence[str],
    person: str | None,
) -> Iterator[str]:
    if k is not None:
        yield macros.small_classes(relation, columns, k)
    if k is not None and person is not None:
        yield macros.classes_of_few_people(relation, columns, person, k)
    for column in sensitive:
        if l is not None:
            yield macros.classes_of_few_values(relation, columns, column, l)
        if t is not None:
            yield macros.distant_classes(relation, columns, column, t)


class _Adapter:
    """What macros ask dbt's adapter for: quoted names, and the macro of a dialect."""

    def __init__(self, dialect: str) -> None:
        self.dialect = dialect
        self.macros: Any = None

    def quote(self, name: str) -> str:
        """A name in quotation marks, which the macros have doubled inside it, as dbt does it."""
        return f'"{name}"'

    def dispatch(self, name: str, package: str) -> Callable[..., str]:
        """The macro of the dialect, else the default one."""
        default: Callable[..., str] = getattr(self.macros, f"default__{name}")
        macro: Callable[..., str] = getattr(self.macros, f"{self.dialect}__{name}", default)
        return macro


class _Exceptions:
    """What macros tell dbt of wrong parameters."""

    def raise_compiler_error(self, sentence: str) -> None:
        """Fail: the parameter would let every table pass."""
        raise UsageError(Message.verbatim(sentence))


def _load_macros(dialect: str) -> Any:
    """The macros of the package as functions that return SQL."""
    from jinja2 import Environment, StrictUndefined

    folder = dbt_package() / "macros"
    sources = [(folder / name).read_text(encoding="utf-8") for name in ("cells.sql", "checks.sql")]
    adapter = _Adapter(dialect)
    environment = Environment(undefined=StrictUndefined)  # SQL: nothing is escaped for HTML
    names: dict[str, Any] = {}
    environment.globals.update(adapter=adapter, tokumei=names, exceptions=_Exceptions())
    module = environment.from_string("".join(sources)).module
    names.update({name: getattr(module, name) for name in dir(module) if not name.startswith("_")})
    adapter.macros = module
    return module

"""Requests of the services on tables: typed, frozen, complete.

    request = TableRequest(data="people.csv", qi=("age", "sex"), sa=("income",))
    request = AnonymizeTableRequest(table=request, steps=({"method": "mondrian", "k": 5},))

The command line builds them from options, Python from keywords, a recipe from YAML.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal, TypedDict

if TYPE_CHECKING:
    from tokumei.core.scenario import Scenario
    from tokumei.tables.anonymizers.protocol import TableMethod
    from tokumei.tables.data.column_report import ReleaseDecisions

DEFAULT_METHOD = ("mondrian",)
Steps = Sequence[Mapping[str, object]]
"""The methods of a release with their parameters, one after the other."""


class RoleNames(TypedDict):
    """The columns by role; all None: the roles are inferred."""

    qi: tuple[str, ...] | None
    sa: tuple[str, ...] | None
    ids: tuple[str, ...] | None


@dataclass(frozen=True, kw_only=True)
class TableRequest:
    """A table in a file: how it is read, the roles of its columns, and the release decisions.

    `method` names the methods that will run, because some of them count people. Texts are read as
    the command line writes them: `header_row` is a line number or "none".
    """

    data: str = ""
    method: tuple[str, ...] = DEFAULT_METHOD
    qi: tuple[str, ...] | None = None
    sa: tuple[str, ...] | None = None
    id: tuple[str, ...] | None = None
    drop: tuple[str, ...] = ()
    kind: Mapping[str, str] = field(default_factory=dict)
    person: str | None = None
    passed: tuple[str, ...] = ()
    pass_rest: bool = False
    scrub: tuple[str, ...] = ()
    qi_anyway: tuple[str, ...] = ()
    sets: tuple[str, ...] = ()
    answers: Literal["ask", "defaults"] = "ask"
    sheet: str | None = None
    header_row: str | None = None
    no_normalize: tuple[str, ...] = ()
    date_order: str | None = None
    two_digit_years: int | None = None
    bad_cells: Literal["refuse", "missing"] = "refuse"
    plain: bool = False
    encoding_errors: Literal["strict", "replace"] = "strict"
    strict: bool = False
    roles_file: str | None = None
    no_roles: bool = False
    sep: str | None = None
    encoding: str = "auto"
    engine: Literal["local", "stream", "spark"] = "local"
    hierarchies: str | None = None
    scenario: Scenario | None = None
    """Under which the release will be judged; None: as the side file says, if it does."""
    identifiers: tuple[str, ...] | None = None
    """The columns of `id` that somebody called identifiers; None: all of them."""

    @property
    def roles(self) -> RoleNames:
        """The columns by role; all None: to be inferred."""
        ids = (*self.dropped, *([self.person] if self.person not in (None, "none") else []))
        return {"qi": self.qi, "sa": self.sa, "ids": None if self.inferred else ids}

    @property
    def dropped(self) -> tuple[str, ...]:
        """The columns that are dropped by name."""
        return tuple(dict.fromkeys((*(self.id or ()), *self.drop)))

    @property
    def inferred(self) -> bool:
        """Whether nobody gave roles; identifiers may be named all the same."""
        return self.qi is None and self.sa is None

    @property
    def counts_people(self) -> bool:
        """Whether a method can count people instead of rows."""
        from tokumei.tables.registry import anonymizers

        return any("person" in anonymizers.get(n).__dataclass_fields__ for n in self.method)

    @property
    def consent(self) -> ReleaseDecisions:
        """The decisions about columns that may identify people."""
        from tokumei.tables.data.column_report import ReleaseDecisions

        return ReleaseDecisions(
            self.passed,
            self.pass_rest,
            self.qi_anyway,
            self.dropped,
            self.answers == "defaults",
            self.person or "",
            self.sets,
            self.scrub,
            (self.id or ()) if self.identifiers is None else self.identifiers,
        )

    def build_method(self, params: Mapping[str, object]) -> TableMethod:
        """Build the methods with their parameters, person column and hierarchies."""
        from tokumei.tables.anonymization.in_memory import build_method
        from tokumei.tables.services.method_steps import build_steps

        options = {"person": self.person, "hierarchies": self.hierarchies}
        stated = {name: value for name, value in options.items() if value not in (None, "none")}
        return build_method(build_steps(self.method, {**stated, **params}), {})


def column_names(names: str | Sequence[str] | None) -> tuple[str, ...] | None:
    """Columns as Python callers give them: a list, or the name of a single one.

    Names of pandas columns that are numbers are meant by the number, too.
    """
    if names is None:
        return None
    single = isinstance(names, str | int)
    return (str(names),) if single else tuple(str(name) for name in names)


def apply_decisions(request: TableRequest, consent: ReleaseDecisions) -> TableRequest:
    """Add decisions that were made elsewhere, all at once."""
    return replace(
        request,
        passed=consent.passed,
        pass_rest=consent.rest,
        qi_anyway=consent.qi,
        drop=consent.dropped,
        answers="defaults" if consent.defaults else "ask",
        person=consent.person or request.person,
        sets=consent.sets,
        scrub=consent.scrubbed,
        identifiers=consent.identifiers,
    )


def count_by_pseudonym(request: TableRequest, pseudonym: str) -> TableRequest:
    """People are told apart by what becomes their pseudonym, if the method can count them."""
    if request.person not in (None, "none"):
        return request
    if request.counts_people:
        return replace(request, person=pseudonym)
    identifiers = request.id or ()
    return replace(request, id=(*identifiers, pseudonym), identifiers=identifiers)


@dataclass(frozen=True, kw_only=True)
class LedgerRequest:
    """The release ledger that a release is checked against and recorded in.

    `reuse`, `apart` and `coarsen_of` name earlier releases whose classes are kept.
    """

    folder: str | None = None
    key_file: str | None = None
    recipient: str | None = None
    name: str = ""
    coalition: tuple[str, ...] = ()
    joint_k: int | None = None
    reuse: str | None = None
    apart: tuple[str, ...] = ()
    coarsen_of: str | None = None
    wait: bool = False
    invariant: int | None = None

    @property
    def keeps_classes(self) -> bool:
        """Whether the classes of earlier releases shape those of this one."""
        return bool(self.reuse or self.apart or self.coarsen_of)


class PublicFileForm(TypedDict):
    """How the public file of a release is written, as the writer takes it."""

    excel: bool
    sheet: str | None
    encoding: str | None
    replace_unencodable: bool
    labels_from: str | None


@dataclass(frozen=True, kw_only=True)
class ReleaseFiles:
    """Where a release is written, and in which form."""

    out: str
    secret: str | None = None
    excel: bool = False
    sheet: str | None = None
    encoding: str | None = None
    replace_unencodable: bool = False
    labels_from: str | None = None
    save_roles: bool = False

    @property
    def form(self) -> PublicFileForm:
        """How the public file is written, as the writer takes it."""
        return {
            "excel": self.excel,
            "sheet": self.sheet,
            "encoding": self.encoding,
            "replace_unencodable": self.replace_unencodable,
            "labels_from": self.labels_from,
        }


@dataclass(frozen=True, kw_only=True)
class AnonymizeTableRequest:
    """A request to anonymize a table: its source, methods and randomness.

    `slack` is the share of classes whose cells are widened by a step. `seed` (or the number of a
    key) repeats the draws; None: they come from the operating system. `sha256` is the digest
    of the source where the service does not read its file.
    """

    table: TableRequest
    steps: Steps | TableMethod
    seed: int | None = None
    keep_order: bool = False
    pseudonym: str | None = None
    slack: float | None = None
    sha256: str | None = None
    ledger: LedgerRequest = field(default_factory=LedgerRequest)
    cluster: str | None = None
    fragments: int | None = None

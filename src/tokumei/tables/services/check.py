"""Checks whether a public file keeps what it claims, whoever made it, where its rows are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from tokumei.core.errors import UsageError, Violation
from tokumei.core.message_lines import locate_problem
from tokumei.core.messages import Message, join_messages
from tokumei.core.provenance import Claim
from tokumei.tables.services.joint_k_of_releases import Joint, is_experiment, joint_k, releases_in

if TYPE_CHECKING:
    from polars import DataFrame

    from tokumei.core.claims import VerificationResult
    from tokumei.tables.anonymizers.conditions import Condition


@dataclass(frozen=True, kw_only=True)
class CheckTableRequest:
    """A released file (or the folder of an experiment) and the models it is checked against.

    Columns that are not named are those of its manifest or side file; without any model its
    manifest's claims are checked. `models` are texts such as "l=3" or "t=0.2".
    """

    release: str
    qi: tuple[str, ...] = ()
    sa: tuple[str, ...] = ()
    k: int | None = None
    models: tuple[str, ...] = ()
    person: str | None = None
    hierarchies: str | None = None
    engine: Literal["local", "stream", "spark"] = "local"
    cluster: str | None = None
    sep: str | None = None
    encoding: str = "auto"

    @property
    def names(self) -> list[str]:
        """The columns that the models speak of."""
        return [*self.qi, *self.sa]


@dataclass(frozen=True)
class CheckedTable:
    """The violations (the first of `total`), remarks, and the joint k of a folder's releases."""

    faults: list[Violation]
    total: int | None = None
    notes: list[Message] = field(default_factory=list)
    joint: Joint | None = None


def check_table(request: CheckTableRequest) -> CheckedTable:
    """Check where the rows are; without columns, those that were named beside the file."""
    from tokumei.files.rows_digest import require_rows_of_manifest
    from tokumei.tables.services.read_comparison import read_known_roles

    require_rows_of_manifest(request.release)
    if request.qi:
        return _check(request, build_claims(request))
    roles, notes = read_known_roles(request.release)
    if roles is None:
        raise UsageError("--qi is needed: there is no file of column roles next to the data")
    request = replace(request, qi=tuple(roles[0]), sa=request.sa or tuple(roles[1]))
    claims = _claims_of_manifest(request)
    if claims and request.engine == "local":
        rules = join_messages(dict.fromkeys(claim.rule for claim in claims))
        notes = [*notes, Message("Checked as its manifest claims: {rules}", rules=rules)]
        return CheckedTable(_check_in_memory(request, claims), notes=notes)
    checked = _check(request, build_claims(request))
    return replace(checked, notes=[*notes, *checked.notes])


def build_claims(request: CheckTableRequest) -> list[Claim]:
    """The claims that a request asks to be checked."""
    from tokumei.tables.anonymizers.conditions import parse_condition
    from tokumei.tables.anonymizers.conditions.risk_limits import split_models

    columns, k = list(request.qi), request.k
    claims = [] if k is None else [Claim("k-anonymity", {"k": k, "columns": columns})]
    if request.person is not None:
        params = {"k": k or 2, "columns": columns, "person": request.person}
        claims.append(Claim("k-per-person", params))
    value_models, limits = split_models(request.models)
    claims += [Claim(limit.rule, {**limit.params, "columns": columns}) for limit in limits]
    for model in value_models:
        # The rule reads the hierarchy itself; here any will do.
        condition = parse_condition(model, levels=[[0]])
        for column in request.sa or [""]:
            more = _params_of_column(condition, column, request)
            roles = {"columns": columns, "sensitive": [column] if column else []}
            claims.append(Claim(condition.rule, condition.params | more | roles))
    if not claims:
        raise UsageError("give --k, --l, --t, --model or --person")
    return claims


def _params_of_column(
    condition: Condition, column: str, request: CheckTableRequest
) -> dict[str, object]:
    """What the rule of a condition needs besides its numbers."""
    from tokumei.tables.hierarchies.files import read_hierarchies

    distance = condition.params.get("distance")
    if condition.rule == "alpha-k":
        return {} if request.k is None else {"k": request.k}
    if request.hierarchies is None or distance not in ("ordered", "hierarchical"):
        return {}
    hierarchy = read_hierarchies(request.hierarchies, [column])[column]
    if distance == "ordered":
        return {"order": hierarchy.leaves.to_list()}
    return {"hierarchy": {leaf: above for leaf, *above in hierarchy.frame().iter_rows()}}


def _claims_of_manifest(request: CheckTableRequest) -> list[Claim]:
    """What the release says of itself; nothing if something was asked."""
    from tokumei.tables.hierarchies.release_hierarchies import read_manifest

    if any((request.k, request.models, request.person)):
        return []
    claims = read_manifest(request.release).get("claims", [])
    whole = [one for one in claims if isinstance(one, dict) and {"rule", "params"} <= one.keys()]
    return [Claim(one["rule"], one["params"]) for one in whole]


def _check(request: CheckTableRequest, claims: list[Claim]) -> CheckedTable:
    from tokumei.core.shared_options import require_spark_engine
    from tokumei.files.file_formats import exceeds_memory

    if request.engine == "spark":
        found = _check_on_spark(request, claims)
        return CheckedTable(found.faults, found.total)
    require_spark_engine(request.engine, cluster=request.cluster)
    if is_experiment(request.release):
        return _check_folder(request, claims)
    if request.engine == "stream" or exceeds_memory(request.release):
        return CheckedTable(_check_on_disk(request, claims))
    return CheckedTable(_check_in_memory(request, claims))


def _check_folder(request: CheckTableRequest, claims: list[Claim]) -> CheckedTable:
    """Every release of a folder, and what they come to if somebody holds them all."""
    files, faults = releases_in(request.release), list[Violation]()
    for path in files:
        for fault in _check_in_memory(replace(request, release=str(path)), claims):
            faults.append(replace(fault, message=locate_problem(fault.message, path.name)))
    joint = joint_k(files, request.qi, request.k)
    faults += [joint.fault()] if joint.below and len(files) > 1 else []
    return CheckedTable(faults, joint=joint)


def _check_in_memory(request: CheckTableRequest, claims: Sequence[Claim]) -> list[Violation]:
    from tokumei.core.progress import send_notice
    from tokumei.files.column_types import infer_column_types
    from tokumei.files.reading import read_cells
    from tokumei.tables.data.table import Table
    from tokumei.tables.profiling.detection.missing_in_text import kept_mark_messages
    from tokumei.tables.verification.claims import claim_violations

    cells = read_cells(request.release, sep=request.sep, encoding=request.encoding)
    table = Table.of(infer_column_types(cells))
    table.schema.require(request.names, where=request.release)
    _tell_other_classes(cells.select(request.qi))
    for note in (note for name in request.sa for note in kept_mark_messages(cells[name])):
        send_notice(note)
    return claim_violations(table, claims, Table.of(cells))


def _check_on_disk(request: CheckTableRequest, claims: list[Claim]) -> list[Violation]:
    from tokumei.tables.anonymization.out_of_core import Roles
    from tokumei.tables.engines.stream_files import open_stream
    from tokumei.tables.verification.out_of_core import DiskRows, streamed_violations

    source = open_stream(request.release, sep=request.sep, encoding=request.encoding)
    Roles(request.names).schema(source.names, where=request.release)
    source.require_whole_lines()
    _tell_other_classes(DiskRows(source).counted(request.qi).select(request.qi))
    return streamed_violations(source, claims)


def _check_on_spark(request: CheckTableRequest, claims: list[Claim]) -> VerificationResult:
    from tokumei.files.spark.session import spark_session
    from tokumei.files.spark.table_files import read_spark_table
    from tokumei.tables.anonymization.spark import check_on_spark

    with spark_session(request.cluster) as session:
        table = read_spark_table(
            session, request.release, sep=request.sep, encoding=request.encoding
        )
        return check_on_spark(table, claims, columns=request.names)


def _tell_other_classes(cells: DataFrame) -> None:
    """Say so if numbers would make other classes of the cells than their text does."""
    from tokumei.core.progress import send_notice
    from tokumei.files.column_types import infer_column_types

    texts, numbers = cells.n_unique(), infer_column_types(cells).n_unique()
    if texts != numbers:
        send_notice(
            Message(
                "Read as text, the columns form {texts} classes; read as numbers, {numbers}. "
                "The classes are those of the text",
                texts=texts,
                numbers=numbers,
            )
        )

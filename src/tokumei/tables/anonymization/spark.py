"""Anonymizes a table on a cluster, and verifies the release there.

    with spark_session("spark://host:7077") as session:
        source = read_spark_table(session, "hdfs:///people.parquet")
        release = anonymize_on_spark(source, build_method("local", {"k": 5}), Roles(["age"]))
        save_on_spark(release, "hdfs:///released.parquet")

Distinct tuples come to the driver, where the same method works as on one machine; the cluster
recodes the rows. If they are too many, the workers work on fragments of the table. Nothing stands
at the path of the release unless what was written keeps every claim.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from tokumei.core.claims import VerificationResult
from tokumei.core.errors import UsageError
from tokumei.core.messages import Message
from tokumei.core.progress import progress_bar
from tokumei.core.provenance import Claim
from tokumei.core.randomness import Randomness
from tokumei.files.spark.column_scan import (
    ColumnScan,
    cast_columns,
    scan_and_count_tuples,
    scan_columns,
)
from tokumei.files.spark.distinct_tuples import DistinctTuples, digest_rows
from tokumei.files.spark.gate_batches import candidate_batches
from tokumei.files.spark.table_files import SparkTable, require_plain_cells
from tokumei.release_gate.gate import require_clean_batches
from tokumei.tables.anonymization.column_disclosure import build_column_report
from tokumei.tables.anonymization.in_memory import add_identifier_claim
from tokumei.tables.anonymization.out_of_core import (
    OutOfCoreRecoding,
    OutOfCoreRelease,
    RecodingTask,
    Roles,
    recode_rows,
)
from tokumei.tables.anonymization.release_terms import table_terms
from tokumei.tables.anonymization.spark_fragments import recode_in_fragments
from tokumei.tables.anonymization.spark_profiling import FirstRowsProfile
from tokumei.tables.anonymization.spark_rare_texts import SparkWithheld, find_rare_spark_texts
from tokumei.tables.anonymizers.mondrian import Mondrian
from tokumei.tables.anonymizers.protocol import TableMethod
from tokumei.tables.data.column_report import NO_DECISIONS, ReleaseDecisions
from tokumei.tables.engines.spark import SparkEngine, encode_tuples
from tokumei.tables.verification.out_of_core import SparkRows, spark_violations

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


@dataclass(frozen=True, eq=False)
class SparkRelease(OutOfCoreRelease):
    """Released rows on a cluster, not yet computed, with what is claimed of them."""

    seen: ClassVar = SparkRows

    engine: SparkEngine

    @property
    def frame(self) -> DataFrame:
        """The released rows as a Spark DataFrame."""
        return self.engine.table.frame


def save_on_spark(
    release: SparkRelease, path: str, *, secret: str | None = None, sep: str = ","
) -> None:
    """Write the rows to a hidden path, verify them there, and only then rename.

    `path` gets a folder of files, `path.manifest.json` the claims and methods;
    `secret.provenance.json`, on this machine and readable by its owner only, the seed.
    """
    release.save(path, secret=secret, sep=sep)


DRIVER_TUPLES = 1_000_000
"""How many distinct tuples come to the driver at most, and their cells to every worker."""
NoteCallback = Callable[[Message], None]


def anonymize_on_spark(
    source: SparkTable,
    method: TableMethod,
    roles: Roles,
    *,
    seed: int | None = None,
    keep_order: bool = False,
    as_text: bool = False,
    fragments: int | None = None,
    most: int = DRIVER_TUPLES,
    tell: NoteCallback = lambda message: None,
    consent: ReleaseDecisions = NO_DECISIONS,
) -> SparkRelease:
    """A release whose rows are computed when they are written; `save_on_spark` verifies them.

    `decode_categories`: cells as they stand in a CSV file. `fragments`: work in so many, even if
    the tuples are no more than `most`, which fit the driver. `tell` hears what was decided, and
    why.
    """
    columns = source.frame.columns
    task = RecodingTask.of(
        method, roles, columns, engine=SparkEngine.name, where=source.where, sets=consent.sets
    )
    rng, schema = Randomness(seed), task.schema
    if rng.seeded:
        rng = rng.bound_to(digest_rows(source.frame), method.describe(), vars(roles))
    first_profile = FirstRowsProfile.of(source)
    look, tuples = _profile_rows(
        source, task, first_profile.like, as_text, 0 if fragments else most
    )
    account = build_column_report(
        first_profile.search_all_rows(source, look.cells),
        roles.schema(columns, where=source.where),
        method,
        consent,
    )
    table = source.with_frame(source.frame.drop(*schema.ids))
    tell(_describe_decision(look, most, tuples is None))
    engine = SparkEngine(cast_columns(table, look.types))
    if tuples is None:
        result = _run_in_fragments(engine.table, task, look, fragments, rng, tell)
        if not keep_order:
            result = replace(result, engine=result.engine.in_random_order(rng.child("shuffle")))
    else:
        encoded = encode_tuples(tuples)
        result = recode_rows(engine, task, encoded, as_text=as_text, rng=rng, keep_order=keep_order)
    claims = add_identifier_claim(result.claims, roles.ids)
    provenance = result.provenance(None, seed)
    public_schema = schema.keep([name for name in columns if name not in task.dropped])
    account = account.settled(claims, schema.qi)
    rare, account = find_rare_spark_texts(source, account, consent, task.method)
    withheld = SparkWithheld(source.frame, tuple(task.dropped))
    return SparkRelease(
        result.engine.masked(rare),
        public_schema,
        result.rows,
        claims,
        provenance,
        look.rows,
        result.unchanged,
        account,
        terms=table_terms(
            roles.schema(columns, where=source.where), account, consent, task.method.k, withheld
        ),
    )


def anonymize_spark_frame(
    frame: DataFrame,
    method: TableMethod,
    roles: Roles,
    *,
    seed: int | None = None,
    keep_order: bool = False,
    consent: ReleaseDecisions = NO_DECISIONS,
) -> SparkRelease:
    """A release of a Spark DataFrame, its claims verified on its rows."""
    source = SparkTable(require_plain_cells(frame))
    release = anonymize_on_spark(
        source, method, roles, seed=seed, keep_order=keep_order, consent=consent
    )
    spark_violations(release.engine.table, release.claims).require_valid(release.rows)
    require_clean_batches(candidate_batches(release.frame, release.terms), release.terms)
    return release


def check_on_spark(
    table: SparkTable, claims: Sequence[Claim], *, columns: Sequence[str]
) -> VerificationResult:
    """The violations of claims about these columns in any table, whoever made it."""
    Roles(columns).schema(table.frame.columns, where=table.where)
    return spark_violations(table, claims)


def _profile_rows(
    table: SparkTable, task: RecodingTask, like: Mapping[str, str], as_text: bool, most: int
) -> tuple[ColumnScan, DistinctTuples | None]:
    """What all rows are like, with their distinct tuples if these are no more than `most`."""
    schema, columns = task.schema, task.counted
    unrecoded = [name for name in table.frame.columns if name not in (*schema.qi, *schema.ids)]
    types = [] if as_text else unrecoded
    with progress_bar(Message("counting tuples")):
        if not most:
            return scan_columns(table, columns, types=types, like=like), None
        return scan_and_count_tuples(
            table, columns, key=schema.qi, most=most, types=types, as_text=task.read, like=like
        )


def _describe_decision(look: ColumnScan, most: int, in_parts: bool) -> Message:
    if in_parts:
        return Message(
            "{rows:,} rows, about {tuples:,} distinct tuples (the driver can hold {most:,}): "
            "worked on in fragments",
            rows=look.rows,
            tuples=look.tuples,
            most=most,
        )
    return Message(
        "{rows:,} rows, {tuples:,} distinct tuples (the driver can hold {most:,}): they fit on the "
        "driver",
        rows=look.rows,
        tuples=look.tuples,
        most=most,
    )


def _run_in_fragments(
    table: SparkTable,
    task: RecodingTask,
    look: ColumnScan,
    fragments: int | None,
    rng: Randomness,
    tell: NoteCallback,
) -> OutOfCoreRecoding[SparkEngine]:
    method, qi = task.method, task.schema.qi
    if not isinstance(method, Mondrian) or task.condition_columns:
        raise UsageError(
            "{method}: too many distinct tuples for the driver, and only mondrian without "
            "conditions works in fragments; use it, or fewer or coarser quasi-identifiers",
            method=method.name,
        )
    fragmented = recode_in_fragments(
        table, method, look, qi, kinds=task.kinds, fragments=fragments, rng=rng, sets=task.sets
    )
    tell(
        Message(
            "{fragments:,} fragments, the smallest of {smallest:,} rows",
            fragments=fragmented.fragments,
            smallest=fragmented.smallest,
        )
    )
    claims = [Claim("k-anonymity", {"k": method.k, "columns": qi})]
    return OutOfCoreRecoding(
        SparkEngine(fragmented.table), look.rows, claims, method=fragmented.method
    )

"""From a table on a cluster to a verified release there.

    with spark_session("spark://host:7077") as session:
        source = read_spark(session, "hdfs:///people.parquet")
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

from tokumei.core.claims import Found
from tokumei.core.errors import UsageError
from tokumei.core.progress import meter
from tokumei.core.randomness import Randomness
from tokumei.core.release import Claim
from tokumei.core.text import Text
from tokumei.files.spark.files import SparkTable, plain_frame
from tokumei.files.spark.look import Look, counted_look, look_at, with_types
from tokumei.files.spark.tuples import Tuples, rows_digest
from tokumei.tables.anonymizers.mondrian import Mondrian
from tokumei.tables.anonymizers.protocol import TableMethod
from tokumei.tables.data.account import NO_CONSENT, Consent
from tokumei.tables.engines.spark import SparkEngine, coded_tuples
from tokumei.tables.releasing.far import Asked, FarRelease, Made, Roles, recoded
from tokumei.tables.releasing.local import all_claims
from tokumei.tables.releasing.opening import account_of
from tokumei.tables.releasing.spark_fragments import in_fragments
from tokumei.tables.releasing.spark_texts import FirstLook
from tokumei.tables.verify.elsewhere import SparkRows, spark_faults

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


@dataclass(frozen=True, eq=False)
class SparkRelease(FarRelease):
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
Tell = Callable[[Text], None]


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
    tell: Tell = lambda message: None,
    consent: Consent = NO_CONSENT,
) -> SparkRelease:
    """A release whose rows are computed when they are written; `save_on_spark` verifies them.

    `as_text`: cells as they stand in a CSV file. `fragments`: work in so many, even if the tuples
    are no more than `most`, which fit the driver. `tell` hears what was decided, and why.
    """
    columns = source.frame.columns
    asked = Asked.of(
        method, roles, columns, engine=SparkEngine.name, where=source.where, sets=consent.sets
    )
    rng, schema = Randomness(seed), asked.schema
    if rng.seeded:
        rng = rng.bound_to(rows_digest(source.frame), method.describe(), vars(roles))
    first = FirstLook.of(source)
    look, tuples = _looked(source, asked, first.like, as_text, 0 if fragments else most)
    account = account_of(
        first.searched(source, look.cells),
        roles.schema(columns, where=source.where),
        method,
        consent,
    )
    table = source.with_frame(source.frame.drop(*schema.ids))
    tell(_decided(look, most, tuples is None))
    engine = SparkEngine(with_types(table, look.types))
    if tuples is None:
        made = _in_fragments(engine.table, asked, look, fragments, rng, tell)
        if not keep_order:
            made = replace(made, engine=made.engine.in_random_order(rng.child("shuffle")))
    else:
        found = coded_tuples(tuples)
        made = recoded(engine, asked, found, as_text=as_text, rng=rng, keep_order=keep_order)
    claims = all_claims(made.claims, roles.ids)
    provenance = made.provenance(None, seed)
    left = schema.keep([name for name in columns if name not in asked.dropped])
    return SparkRelease(
        made.engine,
        left,
        made.rows,
        claims,
        provenance,
        look.rows,
        made.unchanged,
        account.settled(claims, schema.qi),
    )


def anonymize_spark_frame(
    frame: DataFrame,
    method: TableMethod,
    roles: Roles,
    *,
    seed: int | None = None,
    keep_order: bool = False,
    consent: Consent = NO_CONSENT,
) -> SparkRelease:
    """A release of a Spark DataFrame, its claims verified on its rows."""
    source = SparkTable(plain_frame(frame))
    release = anonymize_on_spark(
        source, method, roles, seed=seed, keep_order=keep_order, consent=consent
    )
    spark_faults(release.engine.table, release.claims).require(release.rows)
    return release


def check_on_spark(table: SparkTable, claims: Sequence[Claim], *, columns: Sequence[str]) -> Found:
    """The violations of claims about these columns in any table, whoever made it."""
    Roles(columns).schema(table.frame.columns, where=table.where)
    return spark_faults(table, claims)


def _looked(
    table: SparkTable, asked: Asked, like: Mapping[str, str], as_text: bool, most: int
) -> tuple[Look, Tuples | None]:
    """What all rows are like, with their distinct tuples if these are no more than `most`."""
    schema, columns = asked.schema, asked.counted
    passed = [name for name in table.frame.columns if name not in (*schema.qi, *schema.ids)]
    types = [] if as_text else passed
    with meter(Text("counting tuples", "組を数えています")):
        if not most:
            return look_at(table, columns, types=types, like=like), None
        return counted_look(
            table,
            columns,
            key=schema.qi,
            most=most,
            types=types,
            as_text=asked.read,
            like=like,
        )


def _decided(look: Look, most: int, apart: bool) -> Text:
    if apart:
        return Text(
            f"{look.rows:,} rows, about {look.tuples:,} distinct tuples (the driver can hold "
            f"{most:,}): worked on in fragments",
            f"{look.rows:,} 行、異なる組は約 {look.tuples:,} (ドライバーの上限 {most:,}): "
            "断片に分けて処理します",
        )
    return Text(
        f"{look.rows:,} rows, {look.tuples:,} distinct tuples (the driver can hold {most:,}): "
        "they fit on the driver",
        f"{look.rows:,} 行、異なる組は {look.tuples:,} (ドライバーの上限 {most:,}): "
        "ドライバーに収まります",
    )


def _in_fragments(
    table: SparkTable, asked: Asked, look: Look, fragments: int | None, rng: Randomness, tell: Tell
) -> Made[SparkEngine]:
    method, qi = asked.method, asked.schema.qi
    if not isinstance(method, Mondrian) or asked.guarded:
        raise UsageError(
            f"{method.name}: too many distinct tuples for the driver, and only mondrian "
            "without conditions works in fragments; use it, or fewer or coarser QI",
            f"{method.name}: 異なる組がドライバーの上限を超えています。断片に分けられるのは"
            "条件のない mondrian だけです。それを使うか、準識別子を減らすか粗くしてください",
        )
    made = in_fragments(
        table, method, look, qi, kinds=asked.kinds, fragments=fragments, rng=rng, sets=asked.sets
    )
    tell(
        Text(
            f"{made.fragments:,} fragments, the smallest of {made.smallest:,} rows",
            f"{made.fragments:,} 個の断片 (最小 {made.smallest:,} 行)",
        )
    )
    claims = [Claim("k-anonymity", {"k": method.k, "columns": qi})]
    return Made(SparkEngine(made.table), look.rows, claims, method=made.method)

"""Anonymizes a purchase history on a cluster, and verifies the release there.

    with spark_session("spark://host:7077") as session:
        source = read_spark_history(session, "hdfs:///T.csv", format="pws2018")
        release = anonymize_history_on_spark(source, "rank-match", k=6)
        save_history_on_spark(release, "hdfs:///A.csv", public="hdfs:///public.csv")

How many rows each customer has comes to the driver, which ranks them. Whole clusters are bundled,
and the workers run the local method on every bundle: as bundles follow each other in the ranking,
it makes of them what it would make of all rows at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from tokumei.core.errors import UsageError
from tokumei.core.messages import Message
from tokumei.core.progress import progress_bar
from tokumei.core.provenance import Claim, Provenance
from tokumei.core.randomness import Randomness, digit_pseudonyms
from tokumei.core.release_terms import NO_TERMS, ReleaseTerms, WithheldColumns
from tokumei.core.verification import DeferredRelease
from tokumei.files.spark.distinct_tuples import NUMBER_COLUMN
from tokumei.histories.anonymizers.grouping_method import (
    GroupingMethod,
    bind_seed_to_customers,
    require_k,
)
from tokumei.histories.anonymizers.rank_match import RankMatch, rank_customers
from tokumei.histories.data.generalized_history import format_general_history
from tokumei.histories.data.history import COLUMNS
from tokumei.histories.registry import anonymizers
from tokumei.histories.spark.reading import (
    CUSTOMER_KEY,
    PurchaseReader,
    SparkHistory,
    count_customers,
)

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame

BUNDLE_ROWS = 50_000
"""About how many rows a worker's Python holds at a time."""
_CUSTOMER = "customer"
_BUNDLE_COLUMN, _PSEUDONYM_COLUMN = "tokumei_bundle", "tokumei_pseudonym"


@dataclass(frozen=True, eq=False)
class SparkHistoryRelease(DeferredRelease):
    """Generalized rows on a cluster, not yet computed, and what is claimed of them.

    `cells`: all rows with their numbers in the original (secret), deleted ones as `*`; `truth`:
    who is behind which pseudonym (secret).
    """

    cells: DataFrame = field(repr=False)
    truth: pl.DataFrame = field(repr=False)
    format: str
    rows: int
    kept: int
    customers: int
    claims: tuple[Claim, ...]
    provenance: Provenance
    terms: ReleaseTerms = field(default=NO_TERMS, repr=False)

    @property
    def k(self) -> int:
        """How many people are claimed to be alike."""
        return int(self.claims[0].params["k"])

    def manifest(self) -> Mapping[str, object]:
        """The public description: claims, methods and versions; no secret, no raw value."""
        return {
            "rows": self.kept,
            "claims": [claim.as_json() for claim in self.claims],
            "provenance": self.provenance.as_json(public=True) | {"engine": "spark"},
        }


def anonymize_history_on_spark(
    source: SparkHistory, method: str | GroupingMethod, *, seed: int | None = None, **params: object
) -> SparkHistoryRelease:
    """A release by a method's name (its parameters follow) or object; rows stay on the cluster."""
    anonymizer = require_rank_match(
        anonymizers.build(method, params) if isinstance(method, str) else method
    )
    with progress_bar(Message("counting customers")):
        people = count_customers(source)
    require_k(anonymizer.k, people.height)
    rng = Randomness(seed)
    if rng.seeded:
        rng = bind_seed_to_customers(
            rng, people["customer"], people["rows"].to_numpy(), anonymizer.describe()
        )
    with_bundles = people.with_columns(
        digit_pseudonyms(people["customer"], rng=rng).alias(_PSEUDONYM_COLUMN),
        pl.Series(_BUNDLE_COLUMN, bundle_customers(people["rows"].to_numpy(), anonymizer.k)),
    )
    order = rank_customers(people["rows"].to_numpy())
    clustered = order[: len(order) // anonymizer.k * anonymizer.k]
    shortest = people["rows"].to_numpy()[clustered].reshape(-1, anonymizer.k)[:, -1]
    truth = with_bundles.select(pseudonym=_PSEUDONYM_COLUMN, customer="customer")[clustered].sort(
        "pseudonym"
    )
    return SparkHistoryRelease(
        _generalize_bundles(source, with_bundles, anonymizer),
        truth,
        source.reader.format,
        int(people["rows"].sum()),
        int(shortest.sum()) * anonymizer.k,
        people.height,
        (Claim("identical-histories", {"k": anonymizer.k}),),
        Provenance((anonymizer.describe(),), None, seed),
        _release_terms(people["customer"]),
    )


def _release_terms(customers: pl.Series) -> ReleaseTerms:
    """What the gate has to know: the pseudonyms are made here, and the customers do not leave."""
    declared = frozenset(COLUMNS) - {_CUSTOMER}
    withheld = WithheldColumns((customers.cast(pl.String),))
    return ReleaseTerms(
        named=frozenset({_CUSTOMER}), declared=declared, codes=declared, withheld=withheld
    )


def bundle_customers(counts: np.ndarray, k: int, *, rows: int = BUNDLE_ROWS) -> np.ndarray:
    """The bundle of every customer (by first appearance): whole clusters that follow each other.

    The last customers, too few for a cluster, are with the last one, where they are dropped.
    """
    order = rank_customers(counts)
    cluster = np.minimum(np.arange(len(order)) // k, len(order) // k - 1)
    sizes = np.bincount(cluster, counts[order]).astype(np.int64)
    before = np.cumsum(sizes) - sizes
    bundle_numbers = np.empty(len(order), dtype=np.int64)
    bundle_numbers[order] = (before // rows)[cluster]
    return bundle_numbers


@dataclass(frozen=True)
class _BundleGeneralizer:
    """The local method on all rows of a bundle, with the pseudonyms given."""

    reader: PurchaseReader
    method: RankMatch

    def cells(self, table: pa.Table) -> pa.Table:
        import pyarrow as pa

        rows = pl.DataFrame(pl.from_arrow(table)).sort(NUMBER_COLUMN)
        history = self.reader.history(rows.drop(_BUNDLE_COLUMN, _PSEUDONYM_COLUMN))
        # Pseudonyms are replaced at once, so their randomness does not matter.
        generalized = self.method.anonymize(history, rng=Randomness(0)).rows
        first = np.unique(history.customer_codes, return_index=True)[1]
        with_pseudonyms = replace(
            generalized, pseudonyms=rows[_PSEUDONYM_COLUMN].gather(pl.Series(first))
        )
        cells = (
            format_general_history(with_pseudonyms).select(rows[NUMBER_COLUMN], *COLUMNS).to_arrow()
        )
        texts = ((name, pa.string()) for name in COLUMNS)
        return cells.cast(pa.schema([(NUMBER_COLUMN, pa.int64()), *texts]))


def _generalize_bundles(source: SparkHistory, people: pl.DataFrame, method: RankMatch) -> DataFrame:
    from pyspark.sql import functions as f

    places = people.select(
        pl.col("keys").alias(CUSTOMER_KEY), _BUNDLE_COLUMN, _PSEUDONYM_COLUMN
    ).explode(CUSTOMER_KEY)
    session = source.frame.sparkSession
    customer_table = f.broadcast(session.createDataFrame(places.to_arrow()))
    generalizer = _BundleGeneralizer(source.reader, method)
    texts = ", ".join(f"{name} string" for name in COLUMNS)
    grouped = source.frame.join(customer_table, CUSTOMER_KEY).groupBy(_BUNDLE_COLUMN)
    # Spark counts the parameters of what it calls, `self` among them.
    return grouped.applyInArrow(
        lambda table: generalizer.cells(table), f"{NUMBER_COLUMN} bigint, {texts}"
    )


def require_rank_match(method: GroupingMethod) -> RankMatch:
    """The method, if it ranks customers; no other works without all rows in one place."""
    if isinstance(method, RankMatch):
        return method
    raise UsageError(
        "{method} compares all customers with each other, which needs all rows in one place: use "
        "rank-match on Spark, or --engine local",
        method=method.name,
    )

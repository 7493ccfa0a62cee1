"""From a purchase history on a cluster to a verified release there.

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
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from tokumei.core.errors import UsageError
from tokumei.core.progress import meter
from tokumei.core.randomness import Randomness, digit_pseudonyms
from tokumei.core.release import Claim, Provenance
from tokumei.core.text import Text
from tokumei.core.verification import DeferredRelease
from tokumei.files.spark.tuples import NUMBER
from tokumei.histories.anonymizers.grouping import bound_to_people, require_k
from tokumei.histories.anonymizers.rank_match import RankMatch, ranked_customers
from tokumei.histories.data.general import general_text
from tokumei.histories.data.history import COLUMNS
from tokumei.histories.registry import anonymizers
from tokumei.histories.spark.reading import KEY, Reader, SparkHistory, customers_of

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame

BUNDLE = 50_000
"""About how many rows a worker's Python holds at a time."""
_BUNDLE, _PSEUDONYM = "tokumei_bundle", "tokumei_pseudonym"


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

    @property
    def k(self) -> int:
        """How many people are claimed to be alike."""
        return int(self.claims[0].params["k"])

    def manifest(self) -> Mapping[str, Any]:
        """The public description: claims, methods and versions; no secret, no raw value."""
        return {
            "rows": self.kept,
            "claims": [claim.as_json() for claim in self.claims],
            "provenance": self.provenance.as_json(public=True) | {"engine": "spark"},
        }


def anonymize_history_on_spark(
    source: SparkHistory, method: str | Any, *, seed: int | None = None, **params: Any
) -> SparkHistoryRelease:
    """A release by a method's name (its parameters follow) or object; rows stay on the cluster."""
    chosen = require_ranking(
        anonymizers.build(method, params) if isinstance(method, str) else method
    )
    with meter(Text("counting customers", "顧客を数えています")):
        people = customers_of(source)
    require_k(chosen.k, people.height)
    rng = Randomness(seed)
    if rng.seeded:
        rng = bound_to_people(rng, people["customer"], people["rows"].to_numpy(), chosen.describe())
    placed = people.with_columns(
        digit_pseudonyms(people["customer"], rng=rng).alias(_PSEUDONYM),
        pl.Series(_BUNDLE, bundles(people["rows"].to_numpy(), chosen.k)),
    )
    order = ranked_customers(people["rows"].to_numpy())
    full = order[: len(order) // chosen.k * chosen.k]
    shortest = people["rows"].to_numpy()[full].reshape(-1, chosen.k)[:, -1]
    truth = placed.select(pseudonym=_PSEUDONYM, customer="customer")[full].sort("pseudonym")
    return SparkHistoryRelease(
        _generalized(source, placed, chosen),
        truth,
        source.reader.format,
        int(people["rows"].sum()),
        int(shortest.sum()) * chosen.k,
        people.height,
        (Claim("identical-histories", {"k": chosen.k}),),
        Provenance((chosen.describe(),), None, seed),
    )


def bundles(counts: np.ndarray, k: int, *, rows: int = BUNDLE) -> np.ndarray:
    """The bundle of every customer (by first appearance): whole clusters that follow each other.

    The last customers, too few for a cluster, are with the last one, where they are dropped.
    """
    order = ranked_customers(counts)
    cluster = np.minimum(np.arange(len(order)) // k, len(order) // k - 1)
    sizes = np.bincount(cluster, counts[order]).astype(np.int64)
    before = np.cumsum(sizes) - sizes
    found = np.empty(len(order), dtype=np.int64)
    found[order] = (before // rows)[cluster]
    return found


@dataclass(frozen=True)
class _Generalizing:
    """The local method on all rows of a bundle, with the pseudonyms given."""

    reader: Reader
    method: RankMatch

    def cells(self, table: pa.Table) -> pa.Table:
        import pyarrow as pa

        rows = pl.DataFrame(pl.from_arrow(table)).sort(NUMBER)
        history = self.reader.history(rows.drop(_BUNDLE, _PSEUDONYM))
        # Pseudonyms are replaced at once, so their randomness does not matter.
        made = self.method.anonymize(history, rng=Randomness(0)).rows
        first = np.unique(history.customer_codes, return_index=True)[1]
        named = replace(made, pseudonyms=rows[_PSEUDONYM].gather(pl.Series(first)))
        cells = general_text(named).select(rows[NUMBER], *COLUMNS).to_arrow()
        texts = ((name, pa.string()) for name in COLUMNS)
        return cells.cast(pa.schema([(NUMBER, pa.int64()), *texts]))


def _generalized(source: SparkHistory, people: pl.DataFrame, method: RankMatch) -> DataFrame:
    from pyspark.sql import functions as f

    places = people.select(pl.col("keys").alias(KEY), _BUNDLE, _PSEUDONYM).explode(KEY)
    session = source.frame.sparkSession
    there = f.broadcast(session.createDataFrame(places.to_arrow()))
    work = _Generalizing(source.reader, method)
    texts = ", ".join(f"{name} string" for name in COLUMNS)
    grouped = source.frame.join(there, KEY).groupBy(_BUNDLE)
    # Spark counts the parameters of what it calls, `self` among them.
    return grouped.applyInArrow(lambda table: work.cells(table), f"{NUMBER} bigint, {texts}")


def require_ranking(method: Any) -> RankMatch:
    """The method, if it ranks customers; no other works without all rows in one place."""
    if isinstance(method, RankMatch):
        return method
    raise UsageError(
        f"{method.name} compares all customers with each other, which needs all rows in one "
        "place: use rank-match on Spark, or --engine local",
        f"{method.name} は全顧客を互いに比べるため、全行が一か所に必要です。Spark では "
        "rank-match を使うか、--engine local にしてください",
    )

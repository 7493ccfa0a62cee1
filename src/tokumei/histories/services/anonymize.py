"""Anonymizes a history: read, run the method, verify, write.

    release = anonymize_history(request)
    written = publish_history(request, ReleasePaths(public="public.csv", secret="who.csv"))

Rows in memory and on a cluster are engines of the same request.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING

import polars as pl

from tokumei.core.claims import find_claim_violations
from tokumei.core.errors import ClaimError, Violation
from tokumei.core.json_types import as_json_text
from tokumei.core.messages import Message
from tokumei.core.randomness import Randomness
from tokumei.core.release_terms import ReleaseTerms, WithheldColumns
from tokumei.core.shared_options import refuse_engine_options, refuse_overwriting_inputs
from tokumei.core.verification import verify_release
from tokumei.files.atomic_write import Output
from tokumei.files.file_formats import AnyPath
from tokumei.files.release_files import ReleasePaths, save_release
from tokumei.files.writing import text_output
from tokumei.histories.data.column_parsing import COLUMNS
from tokumei.histories.data.history import History
from tokumei.histories.data.release import HistoryRelease
from tokumei.histories.kind import HISTORIES
from tokumei.histories.measures.protocol import HistoryLoss, history_loss
from tokumei.histories.registry import claim_checks, formats
from tokumei.histories.services.read import ReadHistory, file_digest, layout_of_source, read_history
from tokumei.histories.services.requests import AnonymizeHistoryRequest, RecordRequest
from tokumei.release_gate.gate import require_clean_frame

if TYPE_CHECKING:
    from tokumei.histories.spark.anonymize import SparkHistoryRelease

CUSTOMER = "customer"
READ_ON_SPARK = ("columns", "sep", "encoding")
"""The layout options that reading on a cluster supports."""


@dataclass(frozen=True, eq=False)
class WrittenHistory:
    """A release that was verified and written, how much it keeps, and notes for the user."""

    release: HistoryRelease | SparkHistoryRelease
    rows: int
    kept: int
    customers: int
    people: int
    notes: list[Message]
    loss: HistoryLoss | None = None
    source: History | None = None
    """None where the rows are on a cluster."""


def anonymize_history(
    request: AnonymizeHistoryRequest, *, prepared: object = None
) -> HistoryRelease:
    """Make a release of a history in memory and verify what it claims.

    `prepared` is what the method's `prepare` gave, when several releases share it.
    """
    release = _make_release(request, read_history(request.source), prepared)
    if prepared is None:
        require_clean_frame(release.with_source_names(release.seen()), release.terms)
    return release


def publish_history(request: AnonymizeHistoryRequest, files: ReleasePaths) -> WrittenHistory:
    """Anonymize a history where its rows are; write the release if its claims are verified."""
    targets = (files.aligned, files.public, files.secret)
    refuse_overwriting_inputs(request.source.files, targets)
    if request.engine == "spark":
        return _publish_on_spark(request, files)
    read = read_history(request.source)
    release = _make_release(request, read)
    notes = [*read.notes, *_save(request.record, files, read.history, release)]
    return WrittenHistory(
        release,
        read.history.rows,
        int(release.rows.kept.sum()),
        len(read.history.customers),
        release.truth().height,
        [*notes, *release.provenance.notes],
        history_loss(read.history, release.rows),
        read.original or read.history,
    )


def _make_release(
    request: AnonymizeHistoryRequest, read: ReadHistory, prepared: object = None
) -> HistoryRelease:
    """Run the method; fail if nothing is left, or if a claim does not hold."""
    history = read.history
    format = request.format or history.format
    formats.get(format).require_writable(history)
    release = request.method.anonymize(
        history,
        rng=Randomness(request.seed),
        sha256=request.sha256 or file_digest(request.source),
        prepared=prepared,
    )
    release = replace(release, names=history.names, format=format, categories=read.mapping)
    release = replace(release, terms=_release_terms(release))
    if not release.rows.kept.any():
        raise ClaimError(
            "nothing is left to release: no cell of any row could be kept; choose a smaller k"
        )
    return verify_release(HISTORIES, release).release


def _release_terms(release: HistoryRelease) -> ReleaseTerms:
    """What the gate has to know: the pseudonyms are made here, and the customers do not leave."""
    columns = (*COLUMNS, *release.rows.like, *release.names.values())
    pseudonyms = {CUSTOMER, release.names.get(CUSTOMER, CUSTOMER)}
    return ReleaseTerms(
        named=frozenset(pseudonyms),
        declared=frozenset(columns) - pseudonyms,
        codes=frozenset(columns) - pseudonyms,
        withheld=WithheldColumns((release.customers.cast(pl.String),)),
    )


def find_faults(release: HistoryRelease) -> list[Violation]:
    """Violations of what the release claims, recomputed from its public rows."""
    return find_claim_violations(claim_checks, release.seen(), release.claims)


def release_outputs(
    release: HistoryRelease,
    public: AnyPath | None = None,
    *,
    secret: AnyPath | None = None,
    aligned: AnyPath | None = None,
    format: str | None = None,
) -> list[Output]:
    """The files of a release, not yet written, in the layout of its source unless one is given.

    `public` gets what may be handed out, with its manifest; `aligned` all rows in the original's
    order (a secret); `secret` who is who, with seed and source hash.
    """
    layout = formats.get(format or release.format)
    named = release if layout.keeps_names else replace(release, names={})
    outputs: list[Output] = []
    if aligned is not None:
        rows = named.with_source_names(release.aligned_text())
        outputs.append(layout.rows_output(rows, aligned, secret=True))
    if public is not None:
        outputs.append(layout.rows_output(named.with_source_names(release.public), public))
        manifest = {**release.manifest(), "kind": "histories", "format": format or release.format}
        if named.names:
            manifest["columns"] = dict(named.names)
        outputs.append(text_output(as_json_text(manifest), f"{public}.manifest.json"))
    if secret is not None:
        full = as_json_text(release.provenance.as_json(public=False))
        outputs.append(layout.rows_output(release.truth(), secret, secret=True))
        outputs.append(text_output(full, f"{secret}.provenance.json", secret=True))
    return outputs


def _save(
    record: RecordRequest | None, files: ReleasePaths, source: History, release: HistoryRelease
) -> list[Message]:
    """Write a release, through the ledger if there is one; return what the ledger says."""
    if record is None:
        save_release(HISTORIES, release, files.public, secret=files.secret, aligned=files.aligned)
        return []
    from tokumei.ledger.check_messages import describe_linked_risk, recorded_message
    from tokumei.ledger.ledger import Ledger
    from tokumei.ledger.release_recording import save_and_record

    ledger = Ledger(record.folder, record.key_file)
    check = save_and_record(
        ledger,
        HISTORIES,
        release,
        HISTORIES.contribution(release, source, None),
        files.public,
        recipient=record.recipient or "",
        name=record.name,
        joint_k=record.joint_k,
        secret=files.secret,
        aligned=files.aligned,
    )
    figures = describe_linked_risk(check) if len(check.entries) > 1 else []
    recorded = recorded_message(record.folder, check.entries[-1])
    return [*ledger.notes, *check.notes, recorded, *figures]


def _publish_on_spark(request: AnonymizeHistoryRequest, files: ReleasePaths) -> WrittenHistory:
    from tokumei.files.spark.session import spark_session
    from tokumei.histories.spark.anonymize import anonymize_history_on_spark, require_rank_match
    from tokumei.histories.spark.reading import read_spark_history
    from tokumei.histories.spark.release_files import save_history_on_spark

    refuse_engine_options("spark", categories=request.source.categories, ledger=request.record)
    layout = layout_of_source(request.source)
    options = {
        field.name: getattr(layout, field.name)
        for field in fields(layout)
        if getattr(layout, field.name) != field.default
    }
    refuse_engine_options(
        "spark", **{key: options[key] for key in options if key not in READ_ON_SPARK}
    )
    method, data = require_rank_match(request.method), str(request.source.data)
    with spark_session(request.cluster) as session:
        source = read_spark_history(session, data, format=layout.name, **options)
        release = anonymize_history_on_spark(source, method, seed=request.seed)
        paths = {"public": files.public, "secret": files.secret}
        save_history_on_spark(release, files.aligned, **paths)
    return WrittenHistory(
        release,
        release.rows,
        release.kept,
        release.customers,
        release.truth.height,
        list(release.provenance.notes),
    )

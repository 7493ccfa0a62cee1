"""Releases a history under changing pseudonyms: read, run the method, verify, write.

release = anonymize_periods(request)
written = publish_periods(request, ReleasePaths(public="S.csv", secret="F.csv"))
"""

from __future__ import annotations

import os
from dataclasses import replace
from typing import cast

import polars as pl

from tokumei.core.claims import find_claim_violations
from tokumei.core.errors import Violation
from tokumei.core.json_types import as_json_text
from tokumei.core.randomness import Randomness
from tokumei.core.release_terms import ReleaseTerms, WithheldColumns
from tokumei.core.shared_options import refuse_overwriting_inputs
from tokumei.core.verification import verify_release
from tokumei.files.atomic_write import Output
from tokumei.files.file_formats import AnyPath, sha256_of_file
from tokumei.files.release_files import ReleasePaths, save_release
from tokumei.files.writing import text_output
from tokumei.pseudonyms.data.period_history import PeriodHistory, PurchaseHistory, to_period_history
from tokumei.pseudonyms.data.pseudonym_table import PeriodRelease
from tokumei.pseudonyms.data.purchase_text_cells import PERIOD_COLUMNS
from tokumei.pseudonyms.formats.pws2017 import rows_output, table_output
from tokumei.pseudonyms.kind import PSEUDONYMS
from tokumei.pseudonyms.registry import claim_checks
from tokumei.pseudonyms.services.requests import AnonymizePeriodsRequest, PeriodSource
from tokumei.pseudonyms.verification.pws2017 import require_release
from tokumei.release_gate.gate import require_clean_frame


def read_periods(source: PeriodSource) -> PeriodHistory:
    """Read the purchases with their customers, month by month, whichever way they come."""
    if source.layout is None:
        return to_period_history(cast("PeriodHistory | PurchaseHistory", source.data))
    return source.layout.read(cast(AnyPath, source.data))


def anonymize_periods(request: AnonymizePeriodsRequest) -> PeriodRelease:
    """Make a release and verify the rules of the format and what it claims."""
    source, data = read_periods(request.source), request.source.data
    digest = request.sha256
    if digest is None and isinstance(data, str | os.PathLike):
        digest = sha256_of_file(data)
    release: PeriodRelease = request.method.anonymize(
        source, rng=Randomness(request.seed), sha256=digest
    )
    require_release(source, release.rows, where=request.method.name)
    release = replace(release, terms=_release_terms(source, release))
    verified = verify_release(PSEUDONYMS, release).release
    require_clean_frame(verified.public.cells, verified.terms)
    return verified


def _release_terms(source: PeriodHistory, release: PeriodRelease) -> ReleaseTerms:
    """What the gate has to know: customers do not leave; their pseudonyms are made here.

    So are numbers of invoices, if none of them is one of the source's.
    """
    before, after = (rows.cells["invoice"].cast(pl.String) for rows in (source.rows, release.rows))
    made = {"customer"} if after.is_in(before.implode()).any() else {"customer", "invoice"}
    declared = frozenset(PERIOD_COLUMNS) - made
    withheld = WithheldColumns((source.master.customers.cast(pl.String),))
    return ReleaseTerms(named=frozenset(made), declared=declared, codes=declared, withheld=withheld)


def publish_periods(request: AnonymizePeriodsRequest, files: ReleasePaths) -> PeriodRelease:
    """Make a release and write its files, all or none; no file that was read is replaced."""
    refuse_overwriting_inputs(request.source.files, (files.aligned, files.public, files.secret))
    release = anonymize_periods(request)
    paths = {"secret": files.secret, "aligned": files.aligned}
    save_release(PSEUDONYMS, release, files.public, record=None, **paths)
    return release


def find_faults(release: PeriodRelease) -> list[Violation]:
    """Violations of what the release claims, recomputed from its public rows."""
    return find_claim_violations(claim_checks, release.public.cells, release.claims)


def release_outputs(
    release: PeriodRelease,
    public: AnyPath | None = None,
    *,
    secret: AnyPath | None = None,
    aligned: AnyPath | None = None,
) -> list[Output]:
    """The files of a release, not yet written.

    `public` gets what attackers see (S), with its manifest; `aligned` A(T) (a secret); `secret` the
    table F, with seed and source hash.
    """
    outputs: list[Output] = []
    if aligned is not None:
        outputs.append(rows_output(release.rows, aligned, secret=True))
    if public is not None:
        outputs.append(rows_output(release.public, public))
        outputs.append(text_output(as_json_text(release.manifest()), f"{public}.manifest.json"))
    if secret is not None:
        full = as_json_text(release.provenance.as_json(public=False))
        outputs.append(table_output(release.table, secret))
        outputs.append(text_output(full, f"{secret}.provenance.json", secret=True))
    return outputs

"""Services of the kind `tables`: builds requests from keywords and calls services.

release = make_release(TABLES, frame, "mondrian", k=5, qi=["age", "sex"], sa=["income"])

Whoever only anonymizes loads nothing of attacks and measures.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from tokumei.core.claims import require_no_violations
from tokumei.core.data_kind import KindServices
from tokumei.core.errors import Violation
from tokumei.core.json_types import as_json_text
from tokumei.core.result_table import AttackResults, MeasureResults
from tokumei.files.atomic_write import Output
from tokumei.files.encoded_output import replace_unencodable_cells
from tokumei.files.writing import frame_output, link_output, text_output
from tokumei.tables.data.column_report import ReleaseDecisions
from tokumei.tables.data.table import Release, Table
from tokumei.tables.hierarchies.release_hierarchies import manifest_hierarchies
from tokumei.tables.services.anonymize_keywords import ColumnNames
from tokumei.tables.services.anonymize_keywords import anonymize as anonymize
from tokumei.tables.services.requests import TableRequest, apply_decisions, column_names
from tokumei.tables.verification.claims import claim_violations

if TYPE_CHECKING:
    from tokumei.core.attack_rates import AttackRate
    from tokumei.core.measure import Score
    from tokumei.core.sweep import Trial
    from tokumei.files.statistical_files import FileLabels
    from tokumei.tables.services.comparison_requests import HierarchyFiles, Original, Released


def faults(release: Release) -> list[Violation]:
    """Violations of what the release claims, recomputed from its public rows."""
    return claim_violations(release.public, release.claims, release.written)


def outputs(
    release: Release,
    public: str | Path | None,
    *,
    secret: str | Path | None = None,
    sep: str | None = None,
    excel: bool = False,
    sheet: str | None = None,
    encoding: str | None = None,
    replace_unencodable: bool = False,
    labels_from: str | None = None,
) -> list[Output]:
    """The files of a release, not yet written; with `excel` CSV begins with a byte order mark.

    CSV is separated as the source's file was, unless `sep` says otherwise. `sheet` names the sheet
    of a workbook; `encoding` is that of CSV which is not to be UTF-8. A file of SPSS or Stata gets
    the codes and labels of such a file: `labels_from`.

    `public` gets the rows, `public.manifest.json` the claims and methods; `secret` the link and
    `secret.provenance.json` seed and source hash, both readable by the owner only.
    """
    files = []
    if encoding is not None and replace_unencodable:
        require_claims_in_encoding(release, encoding)
    if public is not None:
        files.append(
            frame_output(
                release.written.frame,
                public,
                sep=sep or release.separator,
                bom=excel,
                sheet=sheet,
                encoding=encoding,
                replace_unencodable=replace_unencodable,
                labels=_labels_of_source(public, labels_from),
            )
        )
        labels = manifest_hierarchies(release.provenance.steps, release.public.schema.qi)
        manifest = as_json_text(release.manifest() | labels)
        files.append(text_output(manifest, f"{public}.manifest.json"))
    if secret is not None:
        full = as_json_text(release.provenance.as_json(public=False))
        files.append(link_output(release.link, secret))
        files.append(text_output(full, f"{secret}.provenance.json", secret=True))
    return files


def require_claims_in_encoding(release: Release, encoding: str) -> None:
    """Fail unless all claims hold of the cells with question marks, which are fewer values."""
    replaced = replace_unencodable_cells(release.written.frame, encoding)
    if replaced is not None:
        table = release.written.with_frame(replaced)
        require_no_violations(claim_violations(table, release.claims, table))


def _labels_of_source(public: str | Path, source: str | None) -> FileLabels | None:
    """The labels of a source, where the public file can have labels, too."""
    from tokumei.files.file_formats import detect_format

    if source is None or not detect_format(public).is_statistical:
        return None
    from tokumei.files.statistical_files import read_labels

    return read_labels(source)


def attack(
    original: Original,
    release: Released,
    *,
    link: np.ndarray | None = None,
    qi: ColumnNames = None,
    sa: ColumnNames = None,
    person: str | None = None,
    hierarchies: HierarchyFiles = None,
    methods: Sequence[str] = (),
    params: Mapping[str, Mapping[str, object]] | None = None,
    as_is: bool = False,
    expected: bool = False,
    seed: int | None = None,
) -> AttackResults[AttackRate]:
    """How often each attack finds the right original row, or person (all attacks by default).

    A Release brings its roles, person column, link and `hierarchies`, which say what its labels
    stand for. Without a `link` row i must come from row i: where rows show that it does not, no
    rate is given.
    """
    from tokumei.tables.services.attack import attack_table
    from tokumei.tables.services.comparison_requests import AttackTableRequest, ComparisonRequest

    compared = ComparisonRequest(
        original=original,
        release=release,
        link=link,
        qi=column_names(qi),
        sa=column_names(sa),
        hierarchies=hierarchies,
        person=person,
    )
    request = AttackTableRequest(
        comparison=compared,
        methods=tuple(methods),
        params=params or {},
        as_is=as_is,
        expected=expected,
        seed=seed,
    )
    return AttackResults(attack_table(request).rates)


def measure(
    original: Original,
    release: Released,
    *,
    link: np.ndarray | None = None,
    qi: ColumnNames = None,
    sa: ColumnNames = None,
    cross: ColumnNames = (),
    hierarchies: HierarchyFiles = None,
    methods: Sequence[str] = (),
    params: Mapping[str, Mapping[str, object]] | None = None,
) -> MeasureResults[Score]:
    """Measures of utility and structural safety, by name; those on request are not default.

    Of two Spark DataFrames, measures that need single rows are left out.
    """
    from tokumei.tables.services.comparison_requests import ComparisonRequest, MeasureTableRequest
    from tokumei.tables.services.measure import measure_table

    compared = ComparisonRequest(
        original=original,
        release=release,
        link=link,
        qi=column_names(qi),
        sa=column_names(sa),
        cross=column_names(cross) or (),
        hierarchies=hierarchies,
    )
    request = MeasureTableRequest(comparison=compared, methods=tuple(methods), params=params or {})
    return MeasureResults(measure_table(request).scores)


def trial(
    source: object,
    method: str,
    values: Sequence[object],
    *,
    parameter: str,
    params: Mapping[str, object] | None = None,
    loss: str = "gcp_sets",
    measures: Sequence[str] = (),
    attacks: Sequence[str] = (),
    seed: int | None = None,
    consent: ReleaseDecisions | None = None,
) -> Trial:
    """What a sweep does with each value: the measure `loss`, and the strongest attack as risk."""
    from tokumei.tables.services.sweep import SweepTableRequest, make_trial

    table = TableRequest() if consent is None else apply_decisions(TableRequest(), consent)
    request = SweepTableRequest(
        table=table,
        values=tuple(values),
        parameter=parameter,
        params={method: params or {}},
        loss=loss,
        measures=tuple(measures),
        attacks=tuple(attacks),
        seed=seed,
    )
    return make_trial(source, method, request)


def sample(rows: int = 8333, *, seed: int | None = None) -> Table:
    """Made-up households."""
    from tokumei.tables.datasets.households import sample_table

    return sample_table(rows, seed=seed)


SERVICES = KindServices(
    anonymize=anonymize,
    faults=faults,
    outputs=outputs,
    attack=attack,
    measure=measure,
    sample=sample,
    trial=trial,
)

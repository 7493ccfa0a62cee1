"""The flow of tables: from a frame to a release, attacked and measured.

release = make_release(TABLES, frame, "mondrian", k=5, qi=["age", "sex"], sa=["income"])

Whoever only anonymizes loads nothing of attacks and measures.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tokumei.core.errors import Fault
from tokumei.core.flow import make_release as make_proven
from tokumei.core.randomness import Randomness
from tokumei.core.result_table import AttackResults, MeasureResults
from tokumei.core.text import as_json_text
from tokumei.files.atomic import Output
from tokumei.files.spark.session import is_spark_frame
from tokumei.files.writing import frame_output, link_output, text_output
from tokumei.tables.data.account import Consent
from tokumei.tables.data.table import Release, Table
from tokumei.tables.hierarchies.released import travelling
from tokumei.tables.kind import TABLES
from tokumei.tables.services.keywords import Names
from tokumei.tables.services.keywords import anonymize as anonymize
from tokumei.tables.services.requests import column_names
from tokumei.tables.verify.claims import claim_faults

if TYPE_CHECKING:
    from tokumei.core.measure import Score
    from tokumei.core.rates import AttackRate
    from tokumei.core.sweep import SweepPoint, Trial


def faults(release: Any) -> list[Fault]:
    """Violations of what the release claims, recomputed from its public rows.

    Rows on a cluster are verified where they are written (`save_on_spark`).
    """
    if not isinstance(release, Release):
        return []
    return claim_faults(release.public, release.claims, release.written)


def outputs(
    release: Release,
    public: str | Path | None,
    *,
    secret: str | Path | None = None,
    sep: str = ",",
    excel: bool = False,
    sheet: str | None = None,
    encoding: str | None = None,
    replace_unencodable: bool = False,
) -> list[Output]:
    """The files of a release, not yet written; with `excel` CSV begins with a byte order mark.

    `sheet` names the sheet of a workbook; `encoding` is that of CSV which is not to be UTF-8.

    `public` gets the rows, `public.manifest.json` the claims and methods; `secret` the link and
    `secret.provenance.json` seed and source hash, both readable by the owner only.
    """
    found = []
    if public is not None:
        found.append(
            frame_output(
                release.written.frame,
                public,
                sep=sep,
                bom=excel,
                sheet=sheet,
                encoding=encoding,
                replace_unencodable=replace_unencodable,
            )
        )
        labels = travelling(release.provenance.steps, release.public.schema.qi)
        manifest = as_json_text(release.manifest() | labels)
        found.append(text_output(manifest, f"{public}.manifest.json"))
    if secret is not None:
        full = as_json_text(release.provenance.as_json(public=False))
        found.append(link_output(release.link, secret))
        found.append(text_output(full, f"{secret}.provenance.json", secret=True))
    return found


def attack(
    original: Any,
    release: Any,
    *,
    link: np.ndarray | None = None,
    qi: Names = None,
    sa: Names = None,
    person: str | None = None,
    hierarchies: str | Mapping[str, Any] | None = None,
    methods: Sequence[str] = (),
    params: Mapping[str, Mapping[str, Any]] | None = None,
    as_is: bool = False,
    expected: bool = False,
    seed: int | None = None,
) -> AttackResults[AttackRate]:
    """How often each attack finds the right original row, or person (all attacks by default).

    A Release brings its roles, person column, link and `hierarchies`, which say what its labels
    stand for. Without a `link` row i must come from row i: where rows show that it does not, no
    rate is given.
    """
    from tokumei.tables.comparing import compare
    from tokumei.tables.services.attack import require_row_order
    from tokumei.tables.suite import attack_suite

    case = compare(
        _in_memory(original),
        release,
        link=link,
        qi=qi,
        sa=sa,
        hierarchies=hierarchies,
        person=person,
    )
    if link is None and not isinstance(release, Release):
        require_row_order(case)
    rng = Randomness(seed)
    return AttackResults(
        attack_suite(case, methods, rng=rng, params=params, as_is=as_is, expected=expected)
    )


def measure(
    original: Any,
    release: Any,
    *,
    link: np.ndarray | None = None,
    qi: Names = None,
    sa: Names = None,
    cross: Sequence[str] = (),
    hierarchies: str | Mapping[str, Any] | None = None,
    methods: Sequence[str] = (),
    params: Mapping[str, Mapping[str, Any]] | None = None,
) -> MeasureResults[Score]:
    """Measures of utility and structural safety, by name; those on request are not default.

    Of two Spark DataFrames, measures that need single rows are left out.
    """
    if is_spark_frame(original):
        from tokumei.files.spark.files import SparkTable, plain_frame
        from tokumei.tables.releasing.spark_measures import MeasuredRoles, measure_on_spark

        roles = MeasuredRoles(column_names(qi) or (), column_names(sa) or (), cross)
        before, after = (SparkTable(plain_frame(one)) for one in (original, release))
        found = measure_on_spark(before, after, roles, methods, params=params)
        return MeasureResults(found.scores)
    from tokumei.tables.comparing import compare
    from tokumei.tables.suite import measure_suite

    case = compare(
        _in_memory(original),
        release,
        link=link,
        qi=qi,
        sa=sa,
        cross=cross,
        hierarchies=hierarchies,
    )
    return MeasureResults(measure_suite(case, methods, params=params))


def _in_memory(source: Any) -> Any:
    """A frame or Table as it is; of a path, the frame in its file."""
    if not isinstance(source, str | os.PathLike):
        return source
    from tokumei.tables.services.read_table import read_table

    return read_table(source).frame


def trial(
    source: Any,
    method: str,
    values: Sequence[Any],
    *,
    parameter: str,
    params: Mapping[str, Any] | None = None,
    loss: str = "gcp_sets",
    measures: Sequence[str] = (),
    attacks: Sequence[str] = (),
    seed: int | None = None,
    consent: Consent | None = None,
) -> Trial:
    """What a sweep does with each value: the measure `loss`, and the strongest attack as risk.

    `knows_qi` beside it is what somebody finds who knows the quasi-identifiers only.
    """
    from tokumei.core.sweep import SweepPoint
    from tokumei.tables.suite import strongest

    table = Table.of(_in_memory(source))

    def run(value: Any) -> SweepPoint:
        given = {**(params or {}), parameter: value}
        release = make_proven(TABLES, table, method, seed=seed, consent=consent, **given)
        wanted = list(dict.fromkeys([loss, "rows_kept", *measures]))
        scores = measure(table, release, methods=wanted)
        rates = attack(table, release, methods=attacks, expected=True, seed=seed)
        more = {name: scores[name].value for name in measures if name in scores}
        more |= {f"attack_{name}": rate.rate for name, rate in rates.items()}
        more["knows_qi"] = _knowing_qi(table, release, seed)
        risk, kept = strongest(rates).rate, scores["rows_kept"].value
        return SweepPoint(value, scores[loss].value, risk, kept, more)

    return run


def _knowing_qi(table: Table, release: Any, seed: int | None) -> float:
    """What somebody finds who knows the quasi-identifiers of all people, and nothing else."""
    if not table.schema.qi:
        return 0.0
    known = {"everything": {"known": tuple(table.schema.qi)}}
    rates = attack(table, release, methods=["everything"], params=known, expected=True, seed=seed)
    return float(rates["everything"].rate)


def sample(rows: int = 8333, *, seed: int | None = None) -> Table:
    """Made-up households."""
    from tokumei.tables.sample.households import sample_table

    return sample_table(rows, seed=seed)

"""The flow of tables: from a frame to a release, attacked and measured.

release = make_release(TABLES, frame, "mondrian", k=5, qi=["age", "sex"], sa=["income"])

Whoever only anonymizes loads nothing of attacks and measures.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tokumei.core.errors import Fault
from tokumei.core.flow import make_release as make_proven
from tokumei.core.options import refuse_with
from tokumei.core.randomness import Randomness
from tokumei.core.text import as_json_text
from tokumei.files.atomic import Output
from tokumei.files.native import Native
from tokumei.files.spark.session import is_spark_frame
from tokumei.files.writing import frame_output, link_output, text_output
from tokumei.tables.anonymizers.protocol import TableMethod
from tokumei.tables.data.account import Consent
from tokumei.tables.data.table import Release, Table
from tokumei.tables.hierarchies.released import travelling
from tokumei.tables.kind import TABLES
from tokumei.tables.look.days import said_of_days
from tokumei.tables.releasing.cell_reading import Reading, bad_missing
from tokumei.tables.releasing.local import build_method, make_release
from tokumei.tables.releasing.opening import NONE, open_account
from tokumei.tables.releasing.pseudonymized import pseudonymized, require_person
from tokumei.tables.verify.claims import claim_faults

if TYPE_CHECKING:
    from tokumei.core.measure import Score
    from tokumei.core.sweep import SweepPoint, Trial

Names = Sequence[str] | None


def anonymize(
    source: Any,
    method: str | TableMethod | Sequence[Mapping[str, Any]],
    *,
    qi: Names = None,
    sa: Names = None,
    ids: Names = None,
    kinds: Mapping[str, str] | None = None,
    seed: int | None = None,
    keep_order: bool = False,
    sha256: str | None = None,
    passed: Names = None,
    qi_anyway: Names = None,
    sets: Names = None,
    scrub: Names = None,
    pseudonym: str | None = None,
    consent: Consent | None = None,
    date_order: str | None = None,
    two_digit_years: int | None = None,
    no_normalize: Names = None,
    bad_cells: str | None = None,
    **params: Any,
) -> Any:
    """A release of a frame or Table, unverified; rows of a Spark DataFrame stay on the cluster.

    A column that seems to identify people is not released unless `passed` (or, generalized,
    `qi_anyway`) names it; `person="none"` says that every row is another person. Texts of many
    values are generalized along a hierarchy, or to `*`, unless `sets` names their column. In texts
    that `scrub` names, found personal data is replaced. `consent` says all of this at once.
    `pseudonym` names the person column, which then leaves as random words, for this release only.

    Texts of a frame that stand for numbers, days or gaps are read as such (of a Table only if one
    of these is given): `date_order` (dmy, mdy, ymd) and `two_digit_years` say how days are
    written, `no_normalize` names rules that are off ("all"), `bad_cells="missing"` makes cells
    that fit neither number nor day gaps. What was read stands in the release's `notes`.
    """
    inferred = not isinstance(source, Table) and qi is None and sa is None
    every_row = params.get("person") == NONE
    if every_row:
        del params["person"]
    consent = consent or Consent(
        tuple(passed or ()),
        qi=tuple(qi_anyway or ()),
        dropped=tuple(ids or ()),
        person=NONE * every_row,
        sets=tuple(sets or ()),
        scrubbed=tuple(scrub or ()),
    )
    if pseudonym is not None and not every_row and not isinstance(method, TableMethod):
        ids, params = _counted(method, pseudonym, ids, params)
    chosen = build_method(method, params)
    if is_spark_frame(source):
        refuse_with("spark", pseudonym=pseudonym)
        from tokumei.tables.releasing.far import Roles
        from tokumei.tables.releasing.spark import anonymize_spark_frame

        roles = Roles(qi or (), sa or (), ids or (), kinds or {})
        return anonymize_spark_frame(
            source, chosen, roles, seed=seed, keep_order=keep_order, consent=consent
        )
    table = Table.of(source, qi=qi, sa=sa, ids=None if inferred else ids, kinds=kinds)
    reading = Reading(
        None,
        tuple([no_normalize] if isinstance(no_normalize, str) else no_normalize or ()),
        bad_missing(bad_cells),
        days=said_of_days(date_order, two_digit_years),
        said=tuple(kinds or ()),
    )
    asked = not isinstance(source, Table) or reading != Reading(None, said=tuple(kinds or ()))
    opened = open_account(
        table, chosen, consent, inferred=inferred, reading=reading if asked else None
    )
    release = make_release(
        opened.table,
        opened.method,
        seed=seed,
        keep_order=keep_order,
        sha256=sha256,
        account=opened.account,
    )
    if pseudonym is not None:
        require_person(opened.method, pseudonym, opened.account.person)
        rng = Randomness(seed)
        release = pseudonymized(release, opened.table, pseudonym, rng=rng)
    return replace(release, native=Native.of(source), notes=tuple(opened.notes) if asked else ())


def _counted(
    method: Any, pseudonym: str, ids: Names, params: dict[str, Any]
) -> tuple[Names, dict[str, Any]]:
    """People are told apart by what becomes their pseudonym, if the method can count them."""
    from tokumei.tables.registry import anonymizers

    if isinstance(method, str) and "person" in anonymizers.get(method).__dataclass_fields__:
        return ids, {"person": pseudonym, **params}
    return [*(ids or ()), pseudonym], params


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
    hierarchies: str | Mapping[str, Any] | None = None,
    methods: Sequence[str] = (),
    params: Mapping[str, Mapping[str, Any]] | None = None,
    as_is: bool = False,
    expected: bool = False,
    seed: int | None = None,
) -> dict[str, Any]:
    """How often each attack finds the right original row (all attacks by default).

    `hierarchies` say what labels of the release stand for; a Release brings its own.
    """
    from tokumei.tables.comparing import compare
    from tokumei.tables.suite import attack_suite

    case = compare(original, release, link=link, qi=qi, sa=sa, hierarchies=hierarchies)
    rng = Randomness(seed)
    return dict(attack_suite(case, methods, rng=rng, params=params, as_is=as_is, expected=expected))


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
) -> dict[str, Score]:
    """Measures of utility and structural safety, by name; those on request are not default.

    Of two Spark DataFrames, measures that need single rows are left out.
    """
    if is_spark_frame(original):
        from tokumei.files.spark.files import SparkTable, plain_frame
        from tokumei.tables.releasing.spark_measures import MeasuredRoles, measure_on_spark

        roles = MeasuredRoles(qi or (), sa or (), cross)
        before, after = (SparkTable(plain_frame(one)) for one in (original, release))
        return measure_on_spark(before, after, roles, methods, params=params).scores
    from tokumei.tables.comparing import compare
    from tokumei.tables.suite import measure_suite

    case = compare(original, release, link=link, qi=qi, sa=sa, cross=cross, hierarchies=hierarchies)
    return measure_suite(case, methods, params=params)


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

    table = Table.of(source)

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

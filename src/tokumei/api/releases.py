"""Implements `tk.anonymize` and `tk.save` for every kind of data.

import tokumei as tk
release = tk.anonymize(frame, "mondrian", k=5, qi=["age", "sex"], sa="income")
tk.save(release, "public.csv", secret="link.csv")
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, TypeVar, overload

from tokumei.core.data_kind import Release as AnyRelease
from tokumei.core.errors import UsageError
from tokumei.core.workflow import make_release
from tokumei.kinds import kind_of

if TYPE_CHECKING:
    from tokumei.api.types import Columns, Hierarchies, OtherData, TableMethods, TableSource
    from tokumei.core.described import Anonymizer
    from tokumei.files.file_formats import AnyPath
    from tokumei.files.frame_conversion import SparkFrame
    from tokumei.histories.data.history import History
    from tokumei.histories.data.release import HistoryRelease
    from tokumei.histories.spark.anonymize import SparkHistoryRelease
    from tokumei.histories.spark.reading import SparkHistory
    from tokumei.ledger.ledger import Ledger
    from tokumei.pseudonyms.data.period_history import PeriodHistory
    from tokumei.pseudonyms.data.pseudonym_table import PeriodRelease
    from tokumei.tables.anonymization.spark import SparkRelease
    from tokumei.tables.data.column_report import ReleaseDecisions
    from tokumei.tables.data.table import Release

Value = TypeVar("Value")


@overload
def anonymize(
    source: History,
    method: str | Anonymizer,
    *,
    k: int | None = None,
    seed: int | None = None,
    sha256: str | None = None,
    **params: Any,
) -> HistoryRelease: ...
@overload
def anonymize(
    source: SparkHistory,
    method: str | Anonymizer,
    *,
    k: int | None = None,
    seed: int | None = None,
    sha256: str | None = None,
    **params: Any,
) -> SparkHistoryRelease: ...
@overload
def anonymize(
    source: PeriodHistory,
    method: str | Anonymizer,
    *,
    seed: int | None = None,
    sha256: str | None = None,
    lifetime: int | None = None,
    **params: Any,
) -> PeriodRelease: ...
@overload
def anonymize(
    source: SparkFrame,
    method: TableMethods = "mondrian",
    *,
    qi: Columns | None = None,
    sa: Columns | None = None,
    ids: Columns | None = None,
    person: str | None = None,
    k: int | None = None,
    l: int | None = None,  # noqa: E741
    t: float | None = None,
    models: Columns | None = None,
    hierarchies: Hierarchies | None = None,
    kinds: Mapping[str, str] | None = None,
    seed: int | None = None,
    drop: Columns | None = None,
    passed: Columns | None = None,
    keep_order: bool = False,
    **params: Any,
) -> SparkRelease: ...
@overload
def anonymize(
    source: TableSource,
    method: TableMethods = "mondrian",
    *,
    qi: Columns | None = None,
    sa: Columns | None = None,
    ids: Columns | None = None,
    person: str | None = None,
    k: int | None = None,
    l: int | None = None,  # noqa: E741
    t: float | None = None,
    models: Columns | None = None,
    hierarchies: Hierarchies | None = None,
    kinds: Mapping[str, str] | None = None,
    seed: int | None = None,
    sha256: str | None = None,
    drop: Columns | None = None,
    passed: Columns | None = None,
    pass_rest: bool = False,
    qi_anyway: Columns | None = None,
    sets: Columns | None = None,
    scrub: Columns | None = None,
    pseudonym: str | None = None,
    keep_order: bool = False,
    date_order: Literal["dmy", "mdy", "ymd"] | None = None,
    two_digit_years: int | None = None,
    no_normalize: Columns | None = None,
    bad_cells: Literal["missing"] | None = None,
    consent: ReleaseDecisions | None = None,
    **params: object,
) -> Release: ...
@overload
def anonymize(
    source: OtherData, method: str | Anonymizer, *, seed: int | None = None, **params: Any
) -> AnyRelease: ...
def anonymize(
    source: object,
    method: object = "mondrian",
    *,
    qi: Columns | None = None,
    sa: Columns | None = None,
    ids: Columns | None = None,
    person: str | None = None,
    k: int | None = None,
    l: int | None = None,  # noqa: E741
    t: float | None = None,
    models: Columns | None = None,
    hierarchies: Hierarchies | None = None,
    kinds: Mapping[str, str] | None = None,
    seed: int | None = None,
    sha256: str | None = None,
    drop: Columns | None = None,
    passed: Columns | None = None,
    pass_rest: bool = False,
    qi_anyway: Columns | None = None,
    sets: Columns | None = None,
    scrub: Columns | None = None,
    pseudonym: str | None = None,
    keep_order: bool = False,
    date_order: Literal["dmy", "mdy", "ymd"] | None = None,
    two_digit_years: int | None = None,
    no_normalize: Columns | None = None,
    bad_cells: Literal["missing"] | None = None,
    consent: ReleaseDecisions | None = None,
    **params: object,
) -> AnyRelease:
    """Anonymize a frame, a Table, the table in a file, or a history, and verify the release.

    `method` is a name, a pipeline (`"mondrian,swap"`), an anonymizer, or a list of steps such as
    `[{"method": "unify", "columns": ["age"]}, {"method": "mondrian", "k": 5}]`. Parameters of
    methods that are not listed here follow as keywords. A History gives a HistoryRelease, a
    PeriodHistory a PeriodRelease; rows of a Spark DataFrame stay on the cluster. The keywords
    below are for tables.

    Roles: `qi` (quasi-identifiers), `sa` (sensitive attributes) and `ids` (identifiers, dropped);
    without `qi` and `sa` they are inferred. `person` names the column that tells people apart;
    "none" says that every row is another person. `pseudonym` names the person column that leaves
    as random words, for this release only. `kinds` reads columns as another kind.

    Privacy: `k` rows (or people) in every class, `l` different sensitive values, `t`-closeness;
    other `models` as texts ("entropy-l=3"). `hierarchies` generalize columns ("auto", a folder, or
    a file by column). Texts of many values become `*`, unless `sets` names their column.

    What leaves: a column that seems to identify people is refused unless `passed` (or,
    generalized, `qi_anyway`) names it; `drop` leaves columns out; `pass_rest` releases columns
    without a role; `scrub` replaces personal data found in texts. `consent` says all of this.

    Cells: `date_order` and `two_digit_years` say how days are written, `no_normalize` names rules
    of reading that are off ("all"), `bad_cells="missing"` makes cells that fit neither number nor
    day gaps. What was read stands in the release's `notes`.
    """
    columns = {
        "qi": qi,
        "sa": sa,
        "ids": ids,
        "person": person,
        "drop": drop,
        "passed": passed,
        "pass_rest": pass_rest or None,
        "qi_anyway": qi_anyway,
        "sets": sets,
        "scrub": scrub,
        "pseudonym": pseudonym,
        "keep_order": keep_order or None,
        "consent": consent,
    }
    privacy = {"k": k, "l": l, "t": t, "models": models, "hierarchies": hierarchies}
    reading = {
        "kinds": kinds,
        "date_order": date_order,
        "two_digit_years": two_digit_years,
        "no_normalize": no_normalize,
        "bad_cells": bad_cells,
    }
    options = _without_none({**columns, **privacy, **reading}) | params
    release: AnyRelease = make_release(
        kind_of(source), source, method, seed=seed, sha256=sha256, **options
    )
    return release


def save(
    release: AnyRelease,
    public: AnyPath | None = None,
    *,
    secret: AnyPath | None = None,
    aligned: AnyPath | None = None,
    format: str | None = None,
    sep: str | None = None,
    excel: bool = False,
    sheet: str | None = None,
    encoding: str | None = None,
    replace_unencodable: bool = False,
    ledger: Ledger | None = None,
    recipient: str = "",
    source: TableSource | History | PeriodHistory | OtherData | None = None,
    ids: str | None = None,
    joint_k: int | None = None,
    **files: Any,
) -> None:
    """Write a release, all files or none, and none unless it proves its claims.

    `public` gets what may be handed out, `public.manifest.json` the claims and methods; `secret`
    who is who and `secret.provenance.json` seed and source hash, both readable by the owner only.

    Tables: `sep`, `encoding` (with `replace_unencodable`) and `excel` (a byte order mark) shape
    CSV, `sheet` names the sheet of a workbook. Histories: `format` is the layout; `aligned` gets
    all rows in the original's order, a secret. Other kinds of data have files of their own.

    With a `ledger` it is first checked together with all earlier releases (`joint_k`, or the k
    claimed), then recorded as given to `recipient`; of a table, the ledger needs its `source` and
    the column `ids` that names people.
    """
    from tokumei.files.release_files import save_release

    if not hasattr(release, "claims"):
        name = type(release).__name__
        raise UsageError(
            "a {type} is not a release: save what tk.anonymize returns", field="release", type=name
        )
    if public is None and secret is None and aligned is None and not files:
        raise UsageError('tk.save needs a path: tk.save(release, "release.csv")', field="public")
    shape = {"format": format, "sep": sep, "excel": excel or None, "sheet": sheet}
    shape |= {"encoding": encoding, "replace_unencodable": replace_unencodable or None}
    files |= _without_none({"aligned": aligned, **shape})
    kind = kind_of(release)
    if ledger is None:
        save_release(kind, release, public, secret=secret, **files)
        return
    from tokumei.ledger.release_recording import save_and_record

    contribution = kind.contribution(release, source, ids)
    files |= {"secret": secret, "joint_k": joint_k}
    save_and_record(ledger, kind, release, contribution, public, recipient=recipient, **files)


def _without_none(options: Mapping[str, Value | None]) -> dict[str, Value]:
    """Only the options that were given."""
    return {name: value for name, value in options.items() if value is not None}

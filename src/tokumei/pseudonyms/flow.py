"""Builds requests on pseudonyms over time from keywords: what `tk.anonymize`, `tk.attack` … call.

import tokumei as tk
history = tk.read_history("T.csv", format="pws2017", master="M.csv")
release = tk.anonymize(history, "pseudonyms", lifetime=1)
tk.measure(history, release)["itemcf"].value
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import polars as pl

from tokumei.core.data_kind import KindServices
from tokumei.core.errors import InputError
from tokumei.core.measure import Score
from tokumei.core.registry import build_layout
from tokumei.core.result_table import AttackResults, MeasureResults
from tokumei.core.workflow import ParamsByMethod
from tokumei.files.file_formats import AnyPath
from tokumei.files.frame_conversion import ArrowFrame
from tokumei.pseudonyms.anonymizers.pseudonyms import PeriodAnonymizer
from tokumei.pseudonyms.data.period_history import PeriodHistory
from tokumei.pseudonyms.data.pseudonym_table import PeriodGuess, PeriodRelease
from tokumei.pseudonyms.data.purchase_text_cells import PeriodRows
from tokumei.pseudonyms.measures.reidentification import GuessClaims, reid_scores
from tokumei.pseudonyms.registry import anonymizers, formats
from tokumei.pseudonyms.services.anonymize import anonymize_periods, read_periods
from tokumei.pseudonyms.services.anonymize import find_faults as faults
from tokumei.pseudonyms.services.anonymize import release_outputs as outputs
from tokumei.pseudonyms.services.attack import attack_periods as run_request
from tokumei.pseudonyms.services.measure import measure_periods
from tokumei.pseudonyms.services.requests import (
    AnonymizePeriodsRequest,
    AttackPeriodsRequest,
    MeasurePeriodsRequest,
    PeriodSource,
)

__all__ = ["anonymize", "attack", "attack_periods", "faults", "measure", "outputs", "points"]


def read(source: AnyPath | ArrowFrame, format: str, options: Mapping[str, Any]) -> PeriodHistory:
    """The purchases in a file or a frame of this layout; `master`: that of the customers."""
    frame = hasattr(options.get("master"), "columns")  # which no text can be converted to
    layout = formats.get(format)(**options) if frame else build_layout(formats, format, options)
    return read_periods(PeriodSource(data=source, layout=layout))


def anonymize(
    source: PeriodHistory,
    method: str | PeriodAnonymizer,
    *,
    seed: int | None = None,
    sha256: str | None = None,
    **params: Any,
) -> PeriodRelease:
    """A verified release by a method's name (its parameters follow) or object."""
    anonymizer = anonymizers.build(method, params) if isinstance(method, str) else method
    given = PeriodSource(data=source)
    request = AnonymizePeriodsRequest(source=given, method=anonymizer, seed=seed, sha256=sha256)
    return anonymize_periods(request)


def sample(rows: int = 6000, *, seed: int | None = None, **options: Any) -> PeriodHistory:
    """A year of a made-up shop, with its customers."""
    from tokumei.pseudonyms.data.sample_data import sample_periods

    return sample_periods(rows, seed=seed, **options)


def attack(
    original: PeriodHistory,
    release: PeriodRelease,
    *,
    known: PeriodRows | None = None,
    methods: Sequence[str] = (),
    params: ParamsByMethod | None = None,
    seed: int | None = None,
) -> AttackResults[dict[str, Score]]:
    """All rates of every attack named (of all by default); without `known` it knows all of T."""
    request = attack_request(original, release, known, methods, params, seed)
    return AttackResults(run_request(replace(request, truth=release.table)).rates)


def attack_periods(
    source: PeriodHistory,
    release: PeriodRelease,
    *,
    known: PeriodRows | None = None,
    methods: Sequence[str] = (),
    params: ParamsByMethod | None = None,
    seed: int | None = None,
) -> dict[str, PeriodGuess]:
    """Each attack's answer (all attacks by default); without `known` it knows all of T.

    `score_guess` tells how much of an answer is right.
    """
    return run_request(attack_request(source, release, known, methods, params, seed)).guesses


def attack_request(
    source: PeriodHistory,
    release: PeriodRelease,
    known: PeriodRows | None,
    methods: Sequence[str],
    params: ParamsByMethod | None,
    seed: int | None,
) -> AttackPeriodsRequest:
    """Attacks on a release made here; without `known` they know all of T."""
    return AttackPeriodsRequest(
        public=release.public,
        known=source.rows if known is None else known,
        master=source.master,
        months=release.months,
        methods=tuple(methods),
        params=params or {},
        seed=seed,
    )


def score_guess(release: PeriodRelease, guess: PeriodGuess) -> dict[str, Score]:
    """How much of the secret table an answer found: reid_pairs, _active, _all and _rows."""
    claims = GuessClaims.of_table(guess.table, release.table)
    return reid_scores(claims, public=release.public, months=release.months)


def measure(
    source: PeriodHistory,
    release: PeriodRelease | PeriodRows,
    *,
    methods: Sequence[str] = (),
    params: ParamsByMethod | None = None,
) -> MeasureResults[Score]:
    """What the data is still good for: the contest's measures, or those named."""
    request = MeasurePeriodsRequest(
        original=source.rows,
        release=release.rows if isinstance(release, PeriodRelease) else release,
        master=source.master,
        methods=tuple(methods),
        params=params or {},
    )
    return measure_periods(request)


def points(source: PeriodHistory | PeriodRows) -> pl.DataFrame:
    """Customer, day and what else there is, a row per purchase; deleted rows are none."""
    all_rows = source.rows if isinstance(source, PeriodHistory) else source
    rows = all_rows.take(all_rows.kept)
    day = rows.cells["day"].str.strptime(pl.Date, "%Y/%m/%d", strict=False)
    if not rows.rows or day.null_count():
        raise InputError(
            "{invalid} of {rows} rows have no valid day; all need one",
            invalid=day.null_count(),
            rows=rows.rows,
        )
    return rows.cells.with_columns(day)


SERVICES = KindServices(
    anonymize=anonymize,
    faults=faults,
    outputs=outputs,
    attack=attack,
    measure=measure,
    sample=sample,
    read=read,
    points=points,
)

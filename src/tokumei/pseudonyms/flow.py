"""The one flow for pseudonyms over time: anonymize → verify → save; publish, attack, measure.

import tokumei as tk
history = tk.read_history("T.csv", format="pws2017", master="M.csv")
release = tk.anonymize(history, "pseudonyms", lifetime=1)
tk.measure(history, release)["itemcf"].value
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from tokumei.core.claims import claim_faults
from tokumei.core.errors import Fault, InputError
from tokumei.core.flow import run_attacks
from tokumei.core.measure import Score
from tokumei.core.randomness import Randomness
from tokumei.core.result_table import AttackResults, MeasureResults
from tokumei.core.text import as_json_text
from tokumei.files.atomic import Output, write_all
from tokumei.files.containers import AnyPath
from tokumei.files.contest_text import read_contest
from tokumei.files.writing import text_output
from tokumei.pseudonyms.attackers.sides import PeriodChallenge
from tokumei.pseudonyms.data.history import PeriodHistory
from tokumei.pseudonyms.data.pseudonym_table import PeriodGuess, PeriodRelease, PseudonymTable
from tokumei.pseudonyms.data.rows import PERIOD_COLUMNS, PeriodRows
from tokumei.pseudonyms.formats.pws2017 import read_period_history, rows_output, table_output
from tokumei.pseudonyms.kind import PSEUDONYMS
from tokumei.pseudonyms.measures.judge import measure_suite
from tokumei.pseudonyms.measures.protocol import PeriodCase
from tokumei.pseudonyms.measures.reid import Answers, reid_scores
from tokumei.pseudonyms.registry import anonymizers, rules
from tokumei.pseudonyms.verify.pws2017 import require_release

ByName = Mapping[str, Mapping[str, Any]]
"""Parameters of methods, by the methods' names."""


def anonymize(
    source: PeriodHistory,
    method: str | Any,
    *,
    seed: int | None = None,
    sha256: str | None = None,
    **params: Any,
) -> PeriodRelease:
    """A release by a method's name (its parameters follow) or object; its claims unverified.

    It is returned only if it keeps all rules of the format.
    """
    chosen = anonymizers.build(method, params) if isinstance(method, str) else method
    release: PeriodRelease = chosen.anonymize(source, rng=Randomness(seed), sha256=sha256)
    require_release(source, release.rows, where=str(getattr(chosen, "name", method)))
    return release


def faults(release: PeriodRelease) -> list[Fault]:
    """Violations of what the release claims, recomputed from its public rows."""
    return claim_faults(rules, release.public.cells, release.claims)


def outputs(
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
    made: list[Output] = []
    if aligned is not None:
        made.append(rows_output(release.rows, aligned, secret=True))
    if public is not None:
        made.append(rows_output(release.public, public))
        made.append(text_output(as_json_text(release.manifest()), f"{public}.manifest.json"))
    if secret is not None:
        full = as_json_text(release.provenance.as_json(public=False))
        made.append(table_output(release.table, secret))
        made.append(text_output(full, f"{secret}.provenance.json", secret=True))
    return made


def sample(rows: int = 6000, *, seed: int | None = None, **options: Any) -> PeriodHistory:
    """A year of a made-up shop, with its customers."""
    from tokumei.pseudonyms.data.sample import sample_periods

    return sample_periods(rows, seed=seed, **options)


def attack(
    original: PeriodHistory,
    release: PeriodRelease,
    *,
    known: PeriodRows | None = None,
    methods: Sequence[str] = (),
    params: ByName | None = None,
    seed: int | None = None,
) -> AttackResults[dict[str, Score]]:
    """All rates of every attack named (of all by default); without `known` it knows all of T."""
    guesses = attack_periods(
        original, release, known=known, methods=methods, params=params, seed=seed
    )
    return AttackResults({name: score_guess(release, guess) for name, guess in guesses.items()})


def publish_periods(
    original: AnyPath,
    release: AnyPath,
    *,
    master: AnyPath,
    public: AnyPath,
    secret: AnyPath,
    encoding: str = "auto",
) -> dict[str, Any]:
    """Write S and F of a contest's A(T), unless a rule is broken; how much there is."""
    source = read_period_history(original, master, encoding=encoding)
    text = read_contest(release, PERIOD_COLUMNS, encoding=encoding)
    require_release(source, text, where=str(release))
    rows = PeriodRows(text.frame)
    customers, months = source.master.customers, source.months
    table = PseudonymTable.of_rows(source.rows, rows, customers=customers, months=months)
    seen = rows.public()
    write_all([rows_output(seen, public), table_output(table, secret)])
    return {
        "rows": seen.rows,
        "pseudonyms": len(seen.people),
        "people": int((table.codes >= 0).any(axis=1).sum()),
        "pairs": int((table.codes >= 0).sum()),
    }


def attack_periods(
    source: PeriodHistory,
    release: PeriodRelease,
    *,
    known: PeriodRows | None = None,
    methods: Sequence[str] = (),
    params: ByName | None = None,
    seed: int | None = None,
) -> dict[str, PeriodGuess]:
    """Each attack's answer (all attacks by default); without `known` it knows all of T.

    `score_guess` tells how much of an answer is right.
    """
    challenge = PeriodChallenge(
        release.public,
        source.rows if known is None else known,
        source.master.customers,
        release.months,
    )
    return run_attacks(PSEUDONYMS, challenge, methods, params=params, rng=Randomness(seed))


def score_guess(release: PeriodRelease, guess: PeriodGuess) -> dict[str, Score]:
    """How much of the secret table an answer found: reid_pairs, _active, _all and _rows."""
    claims = Answers.of_table(guess.table, release.table)
    return reid_scores(claims, public=release.public, months=release.months)


def measure(
    source: PeriodHistory,
    release: PeriodRelease | PeriodRows,
    *,
    methods: Sequence[str] = (),
    params: ByName | None = None,
) -> MeasureResults[Score]:
    """What the data is still good for: the contest's measures, or those named."""
    released = release.rows if isinstance(release, PeriodRelease) else release
    case = PeriodCase(source.rows, released, source.master)
    return MeasureResults(measure_suite(case, methods, params=params))


def points(source: PeriodHistory | PeriodRows) -> pl.DataFrame:
    """Customer, day and what else there is, a row per purchase; deleted rows are none."""
    given = source.rows if isinstance(source, PeriodHistory) else source
    rows = given.take(given.kept)
    day = rows.cells["day"].str.strptime(pl.Date, "%Y/%m/%d", strict=False)
    if not rows.rows or day.null_count():
        raise InputError(
            f"{day.null_count()} of {rows.rows} rows have no valid day; all need one",
            f"{rows.rows} 行のうち {day.null_count()} 行の日付が不正です",
        )
    return rows.cells.with_columns(day)

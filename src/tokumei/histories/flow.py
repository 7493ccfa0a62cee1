"""The one flow for purchase histories: anonymize → verify → publish; attack, measure, sweep.

import tokumei as tk
history = tk.sample_history(20_000, seed=1)
release = tk.anonymize(history, "rank-match", k=6)
tk.measure(history, release)["loss"].value
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import polars as pl

from tokumei.core.claims import claim_faults
from tokumei.core.errors import ClaimError, Fault, UsageError
from tokumei.core.flow import run_attacks
from tokumei.core.kind import KindServices
from tokumei.core.measure import Score
from tokumei.core.randomness import Randomness
from tokumei.core.result_table import AttackResults, MeasureResults
from tokumei.core.sweep import Trial
from tokumei.core.text import Text, as_json_text
from tokumei.files.atomic import Output
from tokumei.files.containers import AnyPath
from tokumei.files.writing import text_output
from tokumei.histories.attackers.protocol import HistoryChallenge, surest
from tokumei.histories.data.columns import is_value
from tokumei.histories.data.general import GeneralHistory
from tokumei.histories.data.guess import HistoryGuess, HistoryHits, history_hits
from tokumei.histories.data.history import History, sample_history
from tokumei.histories.data.release import HistoryRelease
from tokumei.histories.kind import HISTORIES
from tokumei.histories.measures.losses import HONEST_LOSS
from tokumei.histories.measures.protocol import HistoryCase
from tokumei.histories.registry import anonymizers, formats, measures, rules

if TYPE_CHECKING:
    from tokumei.histories.spark.reading import SparkHistory


def anonymize(
    source: History | SparkHistory,
    method: str | Any,
    *,
    seed: int | None = None,
    sha256: str | None = None,
    prepared: Any = None,
    format: str = "table",
    **params: Any,
) -> Any:
    """A release of a history by a method's name (its parameters follow) or object; unverified.

    Items whose names a file of `format` cannot hold are refused. Rows of a SparkHistory stay on the
    cluster.

    `prepared` is what the method's `prepare` gave, when several releases share it.
    """
    if not isinstance(source, History):
        from tokumei.histories.spark.flow import anonymize_history_on_spark

        return anonymize_history_on_spark(source, method, seed=seed, **params)
    formats.get(format).require_writable(source)
    chosen = anonymizers.build(method, params) if isinstance(method, str) else method
    release: HistoryRelease = chosen.anonymize(
        source, rng=Randomness(seed), sha256=sha256, prepared=prepared
    )
    release = replace(release, names=source.names)
    if not release.rows.kept.any():
        raise ClaimError(
            "nothing is left to release: no cell of any row could be kept; choose a smaller k",
            "公開できる行が残りません。どのセルも残せないため、k を小さくしてください",
        )
    return release


def faults(release: HistoryRelease) -> list[Fault]:
    """Violations of what the release claims, recomputed from its public rows."""
    return claim_faults(rules, release.seen(), release.claims)


def attack(
    original: History,
    release: HistoryRelease,
    *,
    known: History | None = None,
    methods: Sequence[str] = (),
    params: Mapping[str, Mapping[str, Any]] | None = None,
    seed: int | None = None,
) -> AttackResults[HistoryHits]:
    """How many people each attack finds (all attacks by default); it knows all of the original."""
    challenge = HistoryChallenge(release.public, known or original)
    guesses = run_attacks(HISTORIES, challenge, methods, params=params, rng=Randomness(seed))
    truth, customers = release.truth(), len(original.customers)
    return AttackResults(
        {name: history_hits(guess, truth, customers=customers) for name, guess in guesses.items()}
    )


def measure(
    original: History,
    released: HistoryRelease | GeneralHistory,
    *,
    methods: Sequence[str] = (),
    params: Mapping[str, Mapping[str, Any]] | None = None,
) -> MeasureResults[Score]:
    """The contest's loss with its parts, and what the data is still good for (all by default)."""
    rows = released.rows if isinstance(released, HistoryRelease) else released
    case = HistoryCase(original, rows)
    names = list(methods) or measures.names()
    found = {name: measures.build(name, (params or {}).get(name)).score(case) for name in names}
    values = () if methods else original.like
    return MeasureResults(found | {name: Score(case.loss.parts[name]) for name in values})


def measure_title(name: str, names: Mapping[str, str] | None = None) -> Text:
    """What a figure of `measure` is called; `names`: what the source calls its columns."""
    if is_value(name):
        column = (names or {}).get(name, name)
        return Text(f"Loss of {column}", f"{column} の損失")
    return HONEST_LOSS if name == "honest_loss" else measures.get(name).title


def outputs(
    release: HistoryRelease,
    public: AnyPath | None = None,
    *,
    secret: AnyPath | None = None,
    aligned: AnyPath | None = None,
    format: str = "table",
) -> list[Output]:
    """The files of a release, not yet written.

    `public` gets what may be handed out, with its manifest; `aligned` all rows in the original's
    order (a secret); `secret` who is who, with seed and source hash.
    """
    rows_output = formats.get(format).rows_output
    named = release if formats.get(format).keeps_names else replace(release, names={})
    made: list[Output] = []
    if aligned is not None:
        made.append(rows_output(named.as_called(release.aligned_text()), aligned, secret=True))
    if public is not None:
        made.append(rows_output(named.as_called(release.public), public))
        said = {**release.manifest(), "kind": "histories", "format": format}
        if named.names:
            said["columns"] = dict(named.names)
        made.append(text_output(as_json_text(said), f"{public}.manifest.json"))
    if secret is not None:
        full = as_json_text(release.provenance.as_json(public=False))
        made.append(rows_output(release.truth(), secret, secret=True))
        made.append(text_output(full, f"{secret}.provenance.json", secret=True))
    return made


def sample(rows: int = 20_000, *, seed: int | None = None, customers: int | None = None) -> History:
    """A year of a made-up shop."""
    return sample_history(rows, customers=customers, seed=seed)


def points(source: Any) -> pl.DataFrame:
    """Customer, day and what else there is, a row per purchase, of a history or a frame."""
    return History.of(source).frame


def trial(source: History, method: str, values: Sequence[Any], **options: Any) -> Trial:
    """What a sweep does with each value: release, measure, attack."""
    from tokumei.histories.sweeps import history_trial

    return history_trial(source, method, values, **options)


def chosen_answers(guess: HistoryGuess, answers: str) -> HistoryGuess:
    """All answers, the number most likely to reach R(n), or the N most confident ones."""
    if answers == "all":
        return guess
    if answers == "most-confident":
        return surest(guess)
    if not answers.isdecimal() or int(answers) < 1:
        raise UsageError(
            f"answers: 'all', 'most-confident' or a whole number from 1, not '{answers}'",
            f"answers は 'all'、'most-confident'、1 以上の整数のいずれかです ('{answers}')",
        )
    return guess.top(int(answers))


SERVICES = KindServices(
    anonymize=anonymize,
    faults=faults,
    outputs=outputs,
    attack=attack,
    measure=measure,
    sample=sample,
    trial=trial,
    points=points,
)

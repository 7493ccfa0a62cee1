"""The one flow for purchase histories: anonymize → verify → publish; attack, measure, sweep.

import tokumei as tk
history = tk.sample_history(20_000, seed=1)
release = tk.anonymize(history, "rank-match", k=6)
tk.measure(history, release)["loss"].value
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tokumei.attackers.history.selection import best_number
from tokumei.data.categories.categories import Categories
from tokumei.data.files.atomic import Output, write_all
from tokumei.data.files.formats import AnyPath
from tokumei.data.files.histories import require_writable
from tokumei.data.files.history_outputs import rows_output
from tokumei.data.files.writing import text_output
from tokumei.data.general_history import GeneralHistory
from tokumei.data.history import History
from tokumei.data.history_guess import HistoryGuess
from tokumei.data.history_release import HistoryRelease
from tokumei.data.history_threshold import thresholds
from tokumei.data.json_text import as_json_text
from tokumei.data.randomness import Randomness
from tokumei.errors import UnknownNameError, UsageError
from tokumei.measures.history.category_loss import honest_loss
from tokumei.measures.history.hits import HistoryHits, history_hits
from tokumei.measures.history.loss import HistoryLoss, history_loss
from tokumei.measures.history.protocol import HistoryCase
from tokumei.measures.protocol import Score
from tokumei.progress import track
from tokumei.registry import history_anonymizers, history_attackers, history_measures
from tokumei.search.sweep import Sweep, SweepPoint, run_sweep
from tokumei.text import Text
from tokumei.verify.claims import require_claims

LOSSES = {
    "loss": Text("loss (the contest's)", "損失 (大会の有用性)"),
    "day": Text("loss of days", "購入日の損失"),
    "item": Text("loss of items", "商品の損失"),
    "price": Text("loss of prices", "単価の損失"),
    "quantity": Text("loss of quantities", "数量の損失"),
    "rows_kept": Text("share of rows kept", "残った行の割合"),
}


def anonymize_history(
    source: History,
    method: str | Any,
    *,
    seed: int | None = None,
    sha256: str | None = None,
    prepared: Any = None,
    format: str = "table",
    **params: Any,
) -> HistoryRelease:
    """A verified release of a history by a method's name (its parameters follow) or object.

    Items whose names a file of `format` cannot hold are refused.

    `prepared` is what the method's `prepare` gave, when several releases share it.
    """
    require_writable(source, format)
    chosen = history_anonymizers.build(method, params) if isinstance(method, str) else method
    release: HistoryRelease = chosen.anonymize(
        source, rng=Randomness(seed), sha256=sha256, prepared=prepared
    )
    require_claims(release.seen(), release.claims)
    return release


def attack_history(
    original: History,
    release: HistoryRelease,
    *,
    known: History | None = None,
    methods: Sequence[str] = (),
    params: Mapping[str, Mapping[str, Any]] | None = None,
    seed: int | None = None,
) -> dict[str, HistoryHits]:
    """How many people each attack finds (all attacks by default); it knows all of the original."""
    truth, rng = release.truth(), Randomness(seed)
    found = {}
    for name in track(list(methods) or history_attackers.names(), Text("attacks", "攻撃")):
        attacker = history_attackers.build(name, (params or {}).get(name))
        guess = attacker.attack(release.public, known or original, rng=rng.child(name))
        found[name] = history_hits(
            guess, truth, public=release.public, customers=len(original.customers)
        )
    return found


def measure_history(
    original: History,
    released: HistoryRelease | GeneralHistory,
    *,
    methods: Sequence[str] = (),
    params: Mapping[str, Mapping[str, Any]] | None = None,
) -> dict[str, Score]:
    """The contest's loss with its parts, and what the data is still good for (all by default)."""
    rows = released.rows if isinstance(released, HistoryRelease) else released
    case = HistoryCase(original, rows)
    loss = history_loss(original, rows).as_json()
    names = list(methods) or [*LOSSES, *history_measures.names()]
    found: dict[str, Score] = {}
    for name in names:
        if name in LOSSES:
            found[name] = Score(loss[name])
            continue
        if name not in history_measures.names():
            valid = [*LOSSES, *history_measures.names()]
            raise UnknownNameError(history_measures.what, name, valid)
        found[name] = history_measures.build(name, (params or {}).get(name)).score(case)
    return found


def measure_title(name: str) -> Text:
    """What a figure of `measure_history` is called."""
    return LOSSES[name] if name in LOSSES else history_measures.get(name).title


def save_history(
    release: HistoryRelease,
    aligned: AnyPath | None = None,
    *,
    public: AnyPath | None = None,
    secret: AnyPath | None = None,
    format: str = "pws2018",
) -> None:
    """Verify the release once more and write it: all files or none.

    `aligned` gets all rows in the original's order (a secret), `public` what may be handed out
    with its manifest, `secret` who is who with seed and source hash.
    """
    require_claims(release.public, release.claims)
    outputs: list[Output] = []
    if aligned is not None:
        outputs.append(rows_output(release.aligned_text(), aligned, format, secret=True))
    if public is not None:
        outputs.append(rows_output(release.public, public, format))
        outputs.append(text_output(as_json_text(release.manifest()), f"{public}.manifest.json"))
    if secret is not None:
        full = as_json_text(release.provenance.as_json(public=False))
        outputs.append(rows_output(release.truth(), secret, format, secret=True))
        outputs.append(text_output(full, f"{secret}.provenance.json", secret=True))
    write_all(outputs)


def chosen_answers(guess: HistoryGuess, answers: str) -> HistoryGuess:
    """All answers, the number most likely to reach R(n), or the N most confident ones."""
    if answers == "all":
        return guess
    if answers == "most-confident":
        confidence = guess.confidence[guess.answered]
        return guess.top(best_number(confidence, thresholds(len(confidence))))
    if not answers.isdigit() or int(answers) < 1:
        raise UsageError(
            Text(
                f"answers: 'all', 'most-confident' or a whole number from 1, not '{answers}'",
                f"answers は 'all'、'most-confident'、1 以上の整数のいずれかです ('{answers}')",
            )
        )
    return guess.top(int(answers))


def sweep_history(
    history: History,
    method: str,
    values: Sequence[Any],
    *,
    parameter: str = "k",
    params: Mapping[str, Any] | None = None,
    measures: Sequence[str] = (),
    attacks: Sequence[str] = (),
    prepared: Any = None,
    seed: int | None = None,
) -> Sweep:
    """Loss, risk (1/k, what the verified claim leaves) and what else is asked, for every value."""
    methods = built(method, params, parameter, values)
    if prepared is None:
        prepared = methods[values[0]].prepare(history)

    def trial(value: Any) -> SweepPoint:
        release = anonymize_history(history, methods[value], seed=seed, prepared=prepared)
        loss = history_loss(history, release.rows)
        more = _more(history, release, loss, measures, attacks, seed)
        return SweepPoint(value, loss.loss, 1 / (release.k or 1), loss.rows_kept, more)

    return run_sweep(method, parameter, values, trial)


def sweep_by_category(
    history: History,
    categories: Categories,
    plain: Sweep,
    *,
    seed: int | None = None,
    params: Mapping[str, Any] | None = None,
) -> Sweep:
    """The sweep `plain` again with every item replaced by its category first.

    `loss` is then the contest's figure, against the replaced items; `honest_loss` the one against
    the real items, `plain_loss` that of the release that keeps them.
    """
    values = [point.value for point in plain.points]
    before = {point.value: point.loss for point in plain.points}
    source = history.with_items(categories.of)
    methods = built(plain.method, params, plain.parameter, values)
    prepared = methods[values[0]].prepare(source)

    def trial(value: Any) -> SweepPoint:
        release = anonymize_history(source, methods[value], seed=seed, prepared=prepared)
        loss = history_loss(source, release.rows)
        honest = honest_loss(history, release.rows, categories.of).loss
        more = {"honest_loss": honest, "plain_loss": before[value], **_parts(loss)}
        return SweepPoint(value, loss.loss, 1 / (release.k or 1), loss.rows_kept, more)

    return run_sweep(plain.method, plain.parameter, values, trial)


def built(
    method: str, params: Mapping[str, Any] | None, parameter: str, values: Sequence[Any]
) -> dict[Any, Any]:
    """The method with every value of a parameter."""
    given = dict(params or {})
    return {v: history_anonymizers.build(method, {**given, parameter: v}) for v in values}


def _parts(loss: HistoryLoss) -> dict[str, float]:
    return {f"loss_{name}": getattr(loss, name) for name in ("day", "item", "price", "quantity")}


def _more(
    history: History,
    release: HistoryRelease,
    loss: HistoryLoss,
    measures: Sequence[str],
    attacks: Sequence[str],
    seed: int | None,
) -> dict[str, float]:
    more = _parts(loss)
    if measures:
        scores = measure_history(history, release, methods=measures)
        more |= {name: score.value for name, score in scores.items()}
    if attacks:
        rates = attack_history(history, release, methods=attacks, seed=seed)
        more |= {f"attack_{name}": rate.rate for name, rate in rates.items()}
    return more

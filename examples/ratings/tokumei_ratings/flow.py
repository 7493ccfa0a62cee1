"""What can be done to ratings: the six functions that every kind has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from tokumei import Randomness, Score, Violation
from tokumei.extending import (
    AttackRate,
    KindServices,
    Output,
    as_json_text,
    find_claim_violations,
    frame_output,
    run_attacks,
    text_output,
    wilson,
)
from tokumei_ratings.data import Ratings, RatingsRelease
from tokumei_ratings.kind import RATINGS

FILMS = 200
Params = Mapping[str, Mapping[str, Any]] | None


@dataclass(frozen=True, eq=False)
class RatingsChallenge:
    """All that an attack sees: the public rows, and the ratings the attacker knows."""

    public: pl.DataFrame
    known: Ratings

    def put_to(self, attacker: Any, *, rng: Randomness) -> pl.DataFrame:
        """The attacker's answer: number, user."""
        answer: pl.DataFrame = attacker.attack(self.public, self.known, rng=rng)
        return answer


def anonymize(
    source: Ratings,
    method: Any,
    *,
    seed: int | None = None,
    sha256: str | None = None,
    **params: Any,
) -> RatingsRelease:
    """A release that nobody has verified yet."""
    chosen = RATINGS.anonymizers.build(method, params) if isinstance(method, str) else method
    release: RatingsRelease = chosen.anonymize(source, rng=Randomness(seed), sha256=sha256)
    return release


def faults(release: RatingsRelease) -> list[Violation]:
    """Violations of what the release claims."""
    return find_claim_violations(RATINGS.claim_checks, release.public, release.claims)


def outputs(
    release: RatingsRelease, public: str | Path | None, *, secret: str | Path | None = None
) -> list[Output]:
    """The files of a release, not yet written."""
    made = []
    if public is not None:
        made.append(frame_output(release.public, public))
        made.append(text_output(as_json_text(release.manifest()), f"{public}.manifest.json"))
    if secret is not None:
        plain = frame_output(release.people, secret)
        made.append(Output(plain.path, plain.write, True))
    return made


def attack(
    original: Ratings,
    release: RatingsRelease,
    *,
    methods: Sequence[str] = (),
    params: Params = None,
    seed: int | None = None,
) -> dict[str, AttackRate]:
    """How many numbers each attack puts to the right user."""
    challenge = RatingsChallenge(release.public, original)
    guesses = run_attacks(RATINGS, challenge, methods, params=params, rng=Randomness(seed))
    return {name: _rate(guess, release, len(original.users)) for name, guess in guesses.items()}


def measure(
    original: Ratings,
    release: RatingsRelease,
    *,
    methods: Sequence[str] = (),
    params: Params = None,
) -> dict[str, Score]:
    """What the release is still good for."""
    names = list(methods) or RATINGS.measures.names()
    built = {name: RATINGS.measures.build(name, (params or {}).get(name)) for name in names}
    return {name: measure.score(original, release) for name, measure in built.items()}


def sample(rows: int = 1000, *, seed: int | None = None) -> Ratings:
    """Made-up ratings: a few films are rated by many, most by few."""
    drawn = Randomness(seed).child("ratings").generator
    users, often = rows // 10 + 1, np.arange(1, FILMS + 1) ** -2.0
    pairs = drawn.choice(
        users * FILMS, size=rows, replace=False, p=np.tile(often / often.sum() / users, users)
    )
    frame = pl.DataFrame({"user": pairs // FILMS, "film": pairs % FILMS})
    text = (pl.format("u{}", "user").alias("user"), pl.format("f{}", "film").alias("film"))
    stars = pl.Series("stars", drawn.integers(1, 6, size=rows))
    return Ratings(frame.with_columns(*text, stars))


def _rate(guess: pl.DataFrame, release: RatingsRelease, users: int) -> AttackRate:
    right = guess.join(release.people, on=["number", "user"]).height
    shown = release.public["user"].n_unique()
    rate = right / shown if shown else 0.0
    return AttackRate(rate, *wilson(right, shown), 1 / users, right, guess.height, shown, users)


SERVICES = KindServices(
    anonymize=anonymize,
    faults=faults,
    outputs=outputs,
    attack=attack,
    measure=measure,
    sample=sample,
)

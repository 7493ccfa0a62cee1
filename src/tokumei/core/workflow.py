"""Makes and verifies a release, and runs attacks, for every kind of data.

    release = make_release(kind, source, "rank-match", seed=1, k=6)
    guesses = run_attacks(kind, challenge, ["best"], rng=Randomness(1))

A challenge is all that an attack ever sees: the public side of a release and what the attacker
knows. Whoever has the truth scores the answers afterwards. What differs between kinds stands in the
module `flow` of each kind's folder.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TypeVar

from tokumei.core.data_kind import DataKind, Release
from tokumei.core.messages import Message
from tokumei.core.progress import track_progress
from tokumei.core.randomness import Randomness
from tokumei.core.verification import DeferredRelease, remember_source, verify_release

AttackMethod = TypeVar("AttackMethod", contravariant=True)
Guess = TypeVar("Guess", covariant=True)
ParamsByMethod = Mapping[str, Mapping[str, object]]
"""Parameters of methods, by the methods' names."""


def make_release(
    kind: DataKind,
    source: object,
    method: object,
    *,
    seed: int | None = None,
    sha256: str | None = None,
    **options: object,
) -> Release:
    """A verified release, by a method's name (its parameters are among the options) or object.

    One whose rows are computed when they are written is verified then.
    """
    release = kind.flow.anonymize(source, method, seed=seed, sha256=sha256, **options)
    if isinstance(release, DeferredRelease):
        return release
    remember_source(release, source)
    return verify_release(kind, release).release


class Challenge(Protocol[AttackMethod, Guess]):
    """The public part of a release and the attacker's knowledge, never the link."""

    def put_to(self, attacker: AttackMethod, *, rng: Randomness) -> Guess:
        """The attacker's answer."""


def run_attacks(
    kind: DataKind,
    challenge: Challenge[Any, Guess],
    methods: Sequence[str] = (),
    *,
    params: ParamsByMethod | None = None,
    rng: Randomness,
) -> dict[str, Guess]:
    """The answer of every attack named (of all by default); each draws from a stream of its own."""
    names = list(methods) or kind.attackers.names()
    attackers = {name: kind.attackers.build(name, (params or {}).get(name)) for name in names}
    return {
        name: run_attack(challenge, name, attackers[name], rng=rng)
        for name in track_progress(names, Message("attacks"))
    }


def run_attack(
    challenge: Challenge[AttackMethod, Guess], name: str, attacker: AttackMethod, *, rng: Randomness
) -> Guess:
    """The answer of one attack, which draws from the stream of its name."""
    return challenge.put_to(attacker, rng=rng.child("attack", name))

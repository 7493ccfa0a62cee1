"""A release is checked, announced, written and confirmed, with nobody else writing in between.

with book.writing():
    found = require_joint(joint_check(book, draft))
    save_release(TABLES, release, "y.csv", record=Recording(book, draft))
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tokumei.core.errors import ClaimError, UsageError
from tokumei.core.kind import Release
from tokumei.core.release import is_key
from tokumei.core.text import as_json_text
from tokumei.files.containers import sha256
from tokumei.ledger.ask import today
from tokumei.ledger.book import Draft, Ledger, Said
from tokumei.ledger.check import Check, check_ledger
from tokumei.ledger.codes import Codes
from tokumei.ledger.entry import Entry


class Recording:
    """The line of one release, for `save_release`."""

    def __init__(self, book: Ledger, draft: Draft) -> None:
        self.book, self.draft = book, draft
        self.entry: Entry | None = None

    def begin(self, staged: Path) -> None:
        """Announce it, with the hash of what will be public."""
        self.entry = self.book.begin(self.draft, sha256=sha256(staged))

    def finish(self) -> None:
        """It left."""
        if self.entry is not None:
            self.book.finish(self.entry.number)

    def withdraw(self) -> None:
        """It did not leave."""
        if self.entry is not None:
            self.book.withdraw(self.entry.number)


def require_joint(found: Check) -> Check:
    """What the release would add; fails if that breaks a limit."""
    if found.faults:
        raise ClaimError(
            "together with what was released before, this release breaks a limit; nothing is "
            "written or recorded",
            "これまでの匿名加工データと合わせると上限を超えるため、書き出しも記録もしません",
            faults=found.faults,
        )
    return found


def joint_check(
    book: Ledger,
    draft: Draft,
    *,
    coalition: Sequence[str] = (),
    joint_k: int | None = None,
    certain: float | None = None,
) -> Check:
    """What the release would add, with the limits it breaks as faults.

    Without a limit, the joint k must be the smallest k claimed, wherever rows can be linked.
    """
    # No release can hide people better than one that left already claims to.
    claimed = [one.k for one in (*book.entries, draft.entry) if one.k is not None]
    limit = joint_k if joint_k is not None else min(claimed, default=None)
    return check_ledger(
        book, coalition, joint_k=limit, certain=certain, draft=draft, by_verdict=joint_k is None
    )


def said_of(book: Ledger, release: Release, recipient: str, name: str = "") -> Said:
    """What a release made here says of itself; fails if its seed made another one before."""
    steps = [dict(step) for step in release.provenance.steps]
    source, columns = release.provenance.source_sha256, release.manifest().get("columns")
    recipe = book.codes.mark("recipe", as_json_text([steps, source, columns]).encode())[:32]
    chance = chance_mark(book.codes, release.provenance.seed)
    refuse_used_seed(book, chance, recipe)
    return Said(
        recipient,
        name,
        today(),
        tuple(claim.as_json() for claim in release.claims),
        ",".join(str(step.get("method", "")) for step in steps),
        chance=chance,
        recipe=recipe,
    )


def chance_mark(codes: Codes, seed: int | None) -> str:
    """By what the second use of a seed or key is seen; nothing of it can be told from this."""
    if seed is None:
        return ""
    return ("key:" if is_key(seed) else "seed:") + codes.mark("chance", b"%d" % seed)[:32]


def refuse_used_seed(book: Ledger, chance: str, recipe: str) -> None:
    """Fail if a seed made another release before: small numbers can be tried on both at once."""
    for one in book.entries:
        if chance.startswith("seed:") and one.chance == chance and one.recipe != recipe:
            raise UsageError(
                f"this seed made release '{one.name}' before, of other rows or by another recipe; "
                "take another seed, or none",
                f"このシード値は '{one.name}' に使われています。別の値にするか、指定を外して"
                "ください",
            )

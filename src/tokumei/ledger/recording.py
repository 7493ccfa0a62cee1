"""A release is checked, announced, written and confirmed, with nobody else writing in between.

with book.writing():
    found = require_joint(joint_check(book, draft))
    save_release(TABLES, release, "y.csv", record=Recording(book, draft))
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from tokumei.core.errors import ClaimError, InputError, UsageError
from tokumei.core.kind import Kind, Release
from tokumei.core.release import is_key
from tokumei.core.text import as_json_text
from tokumei.files.containers import AnyPath, sha256
from tokumei.files.releases import save_release
from tokumei.ledger.absent import invariance, signatures
from tokumei.ledger.book import Draft, Ledger, Said
from tokumei.ledger.chain import HIGH, LOW, Codes
from tokumei.ledger.check import Check, check_ledger
from tokumei.ledger.contribution import UNKNOWN, Contribution
from tokumei.ledger.entry import Entry, today
from tokumei.ledger.together import Together


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


def save_recorded(
    book: Ledger,
    kind: Kind,
    release: Release,
    given: Contribution,
    public: AnyPath | None,
    *,
    recipient: str,
    name: str = "",
    joint_k: int | None = None,
    **files: Any,
) -> Check:
    """Check the release with all earlier ones, write it, record it."""
    if public is None or not recipient:
        raise UsageError(
            "a ledger records what is handed out, and to whom: give a public file and a recipient",
            "台帳には渡すファイルと受領者が必要です",
        )
    with book.writing():
        draft = book.draft(given, said_of(book, release, recipient, name), public=public)
        found = require_joint(joint_check(book, draft, joint_k=joint_k))
        save_release(kind, release, public, record=Recording(book, draft), **files)
    return found


def earlier_classes(book: Ledger, entry: Entry, ids: pl.Series) -> np.ndarray:
    """The class of everyone in a release; UNKNOWN for who is not in it."""
    if not entry.linked:
        raise InputError(
            f"it is not known who is in which class of '{entry.name}': it was added without link",
            f"'{entry.name}' は対応表なしで記録されたため、誰がどのクラスにいるか分かりません",
        )
    high, low = book.codes.people(ids)
    known = book.recorded(entry).people.select(HIGH, LOW, "class")
    asked = pl.DataFrame({HIGH: high, LOW: low})
    found = asked.join(known, on=[HIGH, LOW], how="left", maintain_order="left")["class"]
    return found.fill_null(UNKNOWN).to_numpy().astype(np.int64)


def earlier_signatures(
    book: Ledger, entry: Entry, classes: np.ndarray, sensitive: list[str]
) -> np.ndarray:
    """For everyone, by class, a number for each sensitive column that tells what it showed."""
    if not sensitive or tuple(sensitive) != entry.sensitive:
        told = ", ".join(entry.sensitive) or "–"
        raise UsageError(
            f"the sensitive columns of '{entry.name}' are {told}: they must be the same now",
            f"'{entry.name}' の機密属性は {told} です。今回も同じでなければなりません",
        )
    recorded = book.recorded(entry)
    found = [signatures(recorded, column)[0] for column in range(len(sensitive))]
    return np.stack([one[np.maximum(classes, 0)] for one in found], axis=1)


def require_invariant(book: Ledger, entry: Entry, draft: Draft, m: int) -> None:
    """Fail unless everyone in both is in a class that shows the same values, at least m."""
    both = Together.of([book.recorded(entry), draft.recorded])
    found = invariance(both, [0, 1], len(entry.sensitive))
    if found is not None and (found.kept < 1 or found.m < m):
        raise ClaimError(
            f"m-invariance with '{entry.name}' does not hold: {found.kept:.1%} of the people keep "
            f"their values, the smallest set has {found.m}",
            f"'{entry.name}' との m-不変性が成り立ちません。値の集合が同じ人は {found.kept:.1%}、"
            f"最小の集合は {found.m} 種類です",
        )

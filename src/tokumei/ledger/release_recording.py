"""Checks, announces, writes and confirms a release while the ledger is locked.

with book.writing():
    found = require_joint_limits(check_jointly(book, draft))
    save_release(TABLES, release, "y.csv", record=LedgerRecording(book, draft))
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import polars as pl

from tokumei.core.data_kind import DataKind, Release
from tokumei.core.errors import ClaimError, InputError, UsageError
from tokumei.core.json_types import as_json_text
from tokumei.core.messages import join_messages
from tokumei.core.provenance import is_key
from tokumei.files.file_formats import AnyPath, sha256_of_file
from tokumei.files.release_files import save_release
from tokumei.ledger.class_membership import ClassMembership
from tokumei.ledger.contribution import UNKNOWN, Contribution
from tokumei.ledger.entry import LedgerEntry, today_iso
from tokumei.ledger.hash_chain import CODE_HIGH, CODE_LOW, KeyedCodes
from tokumei.ledger.joint_risk import Check, check_ledger
from tokumei.ledger.ledger import Ledger
from tokumei.ledger.presence_and_invariance import class_signatures, m_invariance
from tokumei.ledger.release_draft import DraftRelease, ReleaseDetails


class LedgerRecording:
    """The line of one release, for `save_release`."""

    def __init__(self, book: Ledger, draft: DraftRelease) -> None:
        self.book, self.draft = book, draft
        self.entry: LedgerEntry | None = None

    @property
    def release_name(self) -> str:
        """The name of the release in the ledger, which it gets when it is announced."""
        return "" if self.entry is None else self.entry.name

    def begin(self, staged: Path) -> None:
        """Announce it, with the hash of what will be public."""
        self.entry = self.book.begin(self.draft, sha256=sha256_of_file(staged))

    def finish(self) -> None:
        """It left."""
        if self.entry is not None:
            self.book.finish(self.entry.number)

    def withdraw(self) -> None:
        """It did not leave."""
        if self.entry is not None:
            self.book.withdraw(self.entry.number)


def require_joint_limits(check: Check) -> Check:
    """The joint check of a planned release; fails if it breaks a limit."""
    if check.faults:
        raise ClaimError(
            "together with what was released before, this release breaks a limit; nothing is "
            "written or recorded",
            faults=check.faults,
        )
    return check


def check_jointly(
    book: Ledger,
    draft: DraftRelease,
    *,
    coalition: Sequence[str] = (),
    joint_k: int | None = None,
    certain: float | None = None,
) -> Check:
    """The joint check of a planned release; broken limits are its violations.

    Without a limit, the joint k must be the smallest k claimed, wherever rows can be linked.
    """
    # No release can hide people better than one that left already claims to.
    claimed = [entry.k for entry in (*book.entries, draft.entry) if entry.k is not None]
    limit = joint_k if joint_k is not None else min(claimed, default=None)
    return check_ledger(
        book, coalition, joint_k=limit, certain=certain, draft=draft, by_verdict=joint_k is None
    )


def release_details(
    book: Ledger, release: Release, recipient: str, name: str = ""
) -> ReleaseDetails:
    """What a release made here says of itself; fails if its seed made another one before."""
    steps = [dict(step) for step in release.provenance.steps]
    source, columns = release.provenance.source_sha256, release.manifest().get("columns")
    recipe = book.codes.mark("recipe", as_json_text([steps, source, columns]).encode())[:32]
    chance = seed_fingerprint(book.codes, release.provenance.seed)
    refuse_used_seed(book, chance, recipe)
    return ReleaseDetails(
        recipient,
        name,
        today_iso(),
        tuple(claim.as_json() for claim in release.claims),
        ",".join(str(step.get("method", "")) for step in steps),
        chance=chance,
        recipe=recipe,
    )


def seed_fingerprint(codes: KeyedCodes, seed: int | None) -> str:
    """By what the second use of a seed or key is seen; nothing of it can be told from this."""
    if seed is None:
        return ""
    return ("key:" if is_key(seed) else "seed:") + codes.mark("chance", b"%d" % seed)[:32]


def refuse_used_seed(book: Ledger, chance: str, recipe: str) -> None:
    """Fail if a seed made another release before: small numbers can be tried on both at once."""
    for entry in book.entries:
        if chance.startswith("seed:") and entry.chance == chance and entry.recipe != recipe:
            raise UsageError(
                "this seed was used for release '{name}', of other rows or by another recipe; take "
                "another seed, or none",
                name=entry.name,
            )


def save_and_record(
    book: Ledger,
    kind: DataKind,
    release: Release,
    given: Contribution,
    public: AnyPath | None,
    *,
    recipient: str,
    name: str = "",
    joint_k: int | None = None,
    coalition: Sequence[str] = (),
    keeps: tuple[LedgerEntry, int] | None = None,
    **files: object,
) -> Check:
    """Check the release with all earlier ones, write it, record it.

    With `keeps`, m-invariance with an earlier release is required, too: that release, and m.
    """
    if public is None or not recipient:
        raise UsageError(
            "a ledger records what is handed out, and to whom: give a public file and a recipient"
        )
    with book.writing():
        draft = book.draft(given, release_details(book, release, recipient, name), public=public)
        check = require_joint_limits(
            check_jointly(book, draft, coalition=coalition, joint_k=joint_k)
        )
        if keeps is not None:
            require_m_invariance(book, keeps[0], draft, keeps[1])
        save_release(kind, release, public, record=LedgerRecording(book, draft), **files)
    return check


def recorded_class_of(book: Ledger, entry: LedgerEntry, ids: pl.Series) -> np.ndarray:
    """The class of everyone in a release; UNKNOWN for who is not in it."""
    if not entry.linked:
        raise InputError(
            "it is not known who is in which class of '{name}': it was added without a link",
            name=entry.name,
        )
    high, low = book.codes.person_codes(ids)
    recorded_people = book.recorded(entry).people.select(CODE_HIGH, CODE_LOW, "class")
    requested_people = pl.DataFrame({CODE_HIGH: high, CODE_LOW: low})
    classes = requested_people.join(
        recorded_people, on=[CODE_HIGH, CODE_LOW], how="left", maintain_order="left"
    )["class"]
    return classes.fill_null(UNKNOWN).to_numpy().astype(np.int64)


def recorded_signatures_of(
    book: Ledger, entry: LedgerEntry, classes: np.ndarray, sensitive: list[str]
) -> np.ndarray:
    """For everyone, by class, a number for each sensitive column that tells what it showed."""
    if not sensitive or tuple(sensitive) != entry.sensitive:
        columns = join_messages(entry.sensitive) if entry.sensitive else "–"
        raise UsageError(
            "the sensitive columns of '{name}' are {columns}: they must be the same now",
            name=entry.name,
            columns=columns,
        )
    recorded = book.recorded(entry)
    column_signatures = [class_signatures(recorded, column)[0] for column in range(len(sensitive))]
    return np.stack([signature[np.maximum(classes, 0)] for signature in column_signatures], axis=1)


def require_m_invariance(book: Ledger, entry: LedgerEntry, draft: DraftRelease, m: int) -> None:
    """Fail unless everyone in both is in a class that shows the same values, at least m."""
    membership = ClassMembership.of([book.recorded(entry), draft.recorded])
    result = m_invariance(membership, [0, 1], len(entry.sensitive))
    if result is not None and (result.kept < 1 or result.m < m):
        raise ClaimError(
            "m-invariance with '{name}' does not hold: {kept:percent} of the people keep their "
            "values, the smallest set has {m}",
            name=entry.name,
            kept=result.kept,
            m=result.m,
        )

"""`ledger:` in recipes: checks every release against the earlier ones; one may be released.

ledger: {folder: ledger, recipient: A, release: five, joint_k: 5}

A recipe makes releases to choose from, and only one of them may leave. The one that `release` names
(the only one, if there is one only) is recorded when the files are written, or nothing is written.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from pydantic import Field

from tokumei.core.data_kind import DataKind, Release
from tokumei.core.errors import UnknownNameError
from tokumei.core.json_types import JsonObject
from tokumei.core.messages import Message
from tokumei.core.yaml_models import StrictModel
from tokumei.ledger.check_messages import describe_linked_risk, describe_unlinked_risk
from tokumei.ledger.contribution import Contribution
from tokumei.ledger.joint_risk import Check, check_ledger
from tokumei.ledger.ledger import RELEASE_LABEL, Ledger
from tokumei.ledger.release_draft import DraftRelease
from tokumei.ledger.release_recording import (
    LedgerRecording,
    check_jointly,
    release_details,
    require_joint_limits,
)

NOTHING_RECORDED = Message("ledger: nothing is recorded: `release` must name the one that leaves")


class LedgerSpec(StrictModel):
    """Which ledger, who gets the release that leaves, and within which limits."""

    folder: str
    key_file: str | None = Field(default=None, exclude=True)
    recipient: str = Field(min_length=1)
    release: str | None = None
    name: str = ""
    id: str | None = None
    joint_k: int | None = Field(default=None, ge=1)
    certain: float | None = Field(default=None, ge=0, le=1)
    coalition: list[str] = Field(default_factory=list)

    def beside(self, folder: Path) -> Self:
        """The same with ledger and key looked for in a folder."""
        key = None if self.key_file is None else str(folder / self.key_file)
        return self.model_copy(update={"folder": str(folder / self.folder), "key_file": key})

    def leaves(self, names: Sequence[str]) -> str | None:
        """Which of the releases leaves."""
        if self.release is None:
            return names[0] if len(names) == 1 else None
        if self.release not in names:
            raise UnknownNameError(RELEASE_LABEL, self.release, names, where="ledger: release")
        return self.release

    @property
    def asked(self) -> tuple[str, ...]:
        """The coalition, which the recipient is part of; empty: everyone."""
        return (*self.coalition, self.recipient) if self.coalition else ()


@dataclass(frozen=True, eq=False)
class RecipeLedger:
    """The releases of a recipe beside a ledger: what each would add, and which one leaves."""

    spec: LedgerSpec
    book: Ledger
    releases: Mapping[str, Release]
    given: Mapping[str, Contribution]
    checks: Mapping[str, Check]

    @classmethod
    def of(
        cls,
        spec: LedgerSpec,
        kind: DataKind,
        releases: Mapping[str, Release],
        source: object,
        ids: object,
    ) -> RecipeLedger:
        """Each release as if it were the next to leave; a dict has the source of each by name."""
        book = Ledger(spec.folder, spec.key_file)
        sources = source if isinstance(source, dict) else dict.fromkeys(releases, source)
        contributions = {
            name: kind.contribution(release, sources[name], ids)
            for name, release in releases.items()
        }
        watch = cls(spec, book, releases, contributions, {})
        checks = {
            name: check_ledger(
                book,
                spec.asked,
                draft=watch._draft_release(name, name),
                joint_k=spec.joint_k,
                certain=spec.certain,
            )
            for name in releases
        }
        return replace(watch, checks=checks)

    def _draft_release(self, name: str, public: str | Path) -> DraftRelease:
        details = release_details(
            self.book, self.releases[name], self.spec.recipient, self.spec.name
        )
        return self.book.draft(self.given[name], details, public=public)

    def _check_jointly(self, draft: DraftRelease) -> Check:
        spec = self.spec
        return check_jointly(
            self.book, draft, coalition=spec.asked, joint_k=spec.joint_k, certain=spec.certain
        )

    def required(self) -> dict[str, Check]:
        """The checks with the limits that `leaving` would heed; nothing is kept or refused."""
        return {
            name: self._check_jointly(self._draft_release(name, name)) for name in self.releases
        }

    @contextmanager
    def leaving(self, files: Mapping[str, Path]) -> Iterator[tuple[Path, LedgerRecording] | None]:
        """The file that leaves and its line, while nobody else writes; fails if a limit breaks."""
        name = self.spec.leaves(list(self.releases))
        if name is None:
            yield None
            return
        with self.book.writing():
            draft = self._draft_release(name, files[name])
            require_joint_limits(self._check_jointly(draft))
            yield files[name], LedgerRecording(self.book, draft)

    def as_json(self) -> JsonObject:
        """Plain data."""
        checks: JsonObject = {name: check.as_json() for name, check in self.checks.items()}
        return {"recorded": self.spec.leaves(list(self.releases)), "releases": checks}

    def words(self) -> list[Message]:
        """What was recorded, and what every release would say with the earlier ones."""
        check_lines = [
            Message("{name}: {sentence}", name=name, sentence=sentence)
            for name, check in self.checks.items()
            if len(check.entries) > 1
            for sentence in (*describe_linked_risk(check), *describe_unlinked_risk(check))
        ]
        leaves = self.spec.leaves(list(self.releases))
        if leaves is None:
            return [*check_lines, NOTHING_RECORDED]
        name = self.checks[leaves].entries[-1].name
        recorded_message = Message(
            "{folder}: {release} recorded as '{name}' for {recipient}",
            folder=self.spec.folder,
            release=leaves,
            name=name,
            recipient=self.spec.recipient,
        )
        return [*self.book.notes, *check_lines, recorded_message]

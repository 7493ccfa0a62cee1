"""`ledger:` in recipes: every release is checked beside the earlier ones, and one may leave.

ledger: {folder: ledger, recipient: A, release: five, joint_k: 5}

A recipe makes releases to choose from, and only one of them may leave. The one that `release` names
(the only one, if there is one only) is recorded when the files are written, or nothing is written.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

from pydantic import Field

from tokumei.core.errors import UnknownNameError
from tokumei.core.kind import Kind, Release
from tokumei.core.text import Text
from tokumei.core.yaml_models import Strict
from tokumei.ledger.book import RELEASE, Draft, Ledger
from tokumei.ledger.check import Check, check_ledger
from tokumei.ledger.contribution import Contribution
from tokumei.ledger.recording import Recording, joint_check, require_joint, said_of
from tokumei.ledger.words import linked_words, unlinked_words

NOTHING_LEAVES = Text(
    "ledger: nothing is recorded: `release` must name the one that leaves",
    "ledger: 記録していません。渡すものを `release` で指定してください",
)


class LedgerSpec(Strict):
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
            raise UnknownNameError(RELEASE, self.release, names, where="ledger: release")
        return self.release

    @property
    def asked(self) -> tuple[str, ...]:
        """The coalition, which the recipient is part of; empty: everyone."""
        return (*self.coalition, self.recipient) if self.coalition else ()


@dataclass(frozen=True, eq=False)
class Watch:
    """The releases of a recipe beside a ledger: what each would add, and which one leaves."""

    spec: LedgerSpec
    book: Ledger
    releases: Mapping[str, Release]
    given: Mapping[str, Contribution]
    checks: Mapping[str, Check]

    @classmethod
    def of(
        cls, spec: LedgerSpec, kind: Kind, releases: Mapping[str, Release], source: Any, ids: Any
    ) -> Watch:
        """Each release as if it were the next to leave; a dict has the source of each by name."""
        book = Ledger(spec.folder, spec.key_file)
        sources = source if isinstance(source, dict) else dict.fromkeys(releases, source)
        given = {name: kind.contribution(one, sources[name], ids) for name, one in releases.items()}
        watch = cls(spec, book, releases, given, {})
        checks = {
            name: check_ledger(
                book,
                spec.asked,
                draft=watch._draft(name, name),
                joint_k=spec.joint_k,
                certain=spec.certain,
            )
            for name in releases
        }
        return replace(watch, checks=checks)

    def _draft(self, name: str, public: str | Path) -> Draft:
        said = said_of(self.book, self.releases[name], self.spec.recipient, self.spec.name)
        return self.book.draft(self.given[name], said, public=public)

    def _joint(self, draft: Draft) -> Check:
        spec = self.spec
        return joint_check(
            self.book, draft, coalition=spec.asked, joint_k=spec.joint_k, certain=spec.certain
        )

    def required(self) -> dict[str, Check]:
        """The checks with the limits that `leaving` would heed; nothing is kept or refused."""
        return {name: self._joint(self._draft(name, name)) for name in self.releases}

    @contextmanager
    def leaving(self, files: Mapping[str, Path]) -> Iterator[tuple[Path, Recording] | None]:
        """The file that leaves and its line, while nobody else writes; fails if a limit breaks."""
        name = self.spec.leaves(list(self.releases))
        if name is None:
            yield None
            return
        with self.book.writing():
            draft = self._draft(name, files[name])
            require_joint(self._joint(draft))
            yield files[name], Recording(self.book, draft)

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        checks = {name: one.as_json() for name, one in self.checks.items()}
        return {"recorded": self.spec.leaves(list(self.releases)), "releases": checks}

    def words(self) -> list[Text]:
        """What was recorded, and what every release would say with the earlier ones."""
        told = [
            Text(f"{name}: {line.en}", f"{name}: {line.ja}")
            for name, one in self.checks.items()
            if len(one.entries) > 1
            for line in (*linked_words(one), *unlinked_words(one))
        ]
        leaves = self.spec.leaves(list(self.releases))
        if leaves is None:
            return [*told, NOTHING_LEAVES]
        name = self.checks[leaves].entries[-1].name
        en = f"{self.spec.folder}: {leaves} recorded as '{name}' for {self.spec.recipient}"
        ja = f"{self.spec.folder}: {leaves} を '{name}' として記録 ({self.spec.recipient})"
        return [*self.book.notes, *told, Text(en, ja)]

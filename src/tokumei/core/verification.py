"""Verifies releases; only verification creates a `VerifiedRelease`, which alone can be saved.

    verified = verify_release(kind, release)      # fails unless every claim holds
    publish_files(staged, verified)               # tokumei.files.release_files

A user works with the release itself, so a release in memory carries its verification in a field of
its base class `VerifiableRelease`, and is not verified again when it is saved. The field is not an
argument: `dataclasses.replace` makes a release without it. The verification knows the one object it
holds for, so a copy does not have it either, whatever is changed in it. There is no list of what
was verified. Rows that are computed only when they are written (`DeferredRelease`) are verified as
they were written, before they get their name.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import InitVar, dataclass, field
from typing import TYPE_CHECKING, Generic, TypeVar, final
from weakref import ReferenceType, ref

from tokumei.core.claims import CheckedClaim, VerificationResult, require_no_violations
from tokumei.core.errors import UsageError
from tokumei.core.release_terms import NO_TERMS, ReleaseTerms

if TYPE_CHECKING:
    from tokumei.core.data_kind import DataKind, Release

R = TypeVar("R", bound="Release")
R_co = TypeVar("R_co", bound="Release", covariant=True)
_SEAL = object()
"""Nobody outside this module has it, so nobody else makes a verification."""


def _require_seal(seal: object, name: str) -> None:
    if seal is not _SEAL:
        raise TypeError(f"{name} is made by verify_release only")


@final
@dataclass(frozen=True, eq=False)
class Verification:
    """Carried by a verified release: the claims of this very object hold."""

    seal: InitVar[object]
    _release: ReferenceType[object]

    def __post_init__(self, seal: object) -> None:
        _require_seal(seal, "Verification")

    def holds_for(self, release: object) -> bool:
        """Whether it is this object that was verified, not one like it."""
        return self._release() is release

    def __reduce__(self) -> tuple[type[None], tuple[()]]:
        """Nothing: a release that is copied deeply or sent elsewhere is verified there."""
        return type(None), ()


@dataclass(frozen=True, eq=False)
class VerifiableRelease:
    """The base of releases whose rows are in memory: carries the verification, if there is one.

    `terms`: what the release gate has to know, which is secret. `source` is what the release was
    made from, as long as both are in memory: a copied, changed or stored release does not carry it.
    """

    terms: ReleaseTerms = field(default=NO_TERMS, repr=False, compare=False, kw_only=True)

    verification: Verification | None = field(
        default=None, init=False, repr=False, compare=False, kw_only=True
    )
    source: object | None = field(default=None, init=False, repr=False, compare=False, kw_only=True)

    def __getstate__(self) -> dict[str, object]:
        """Everything but the source."""
        return {**vars(self), "source": None}


class DeferredRelease:
    """The base of releases whose rows are computed, and verified, while they are written."""


@final
@dataclass(frozen=True, eq=False)
class VerifiedRelease(Generic[R_co]):
    """A release all of whose claims were recomputed from what is published, and hold."""

    release: R_co
    seal: InitVar[object]

    def __post_init__(self, seal: object) -> None:
        _require_seal(seal, "VerifiedRelease")


def verify_release(kind: DataKind, release: R) -> VerifiedRelease[R]:
    """Recompute every claim of a release from what will be published; fail unless all hold.

    A release that carries its verification is not verified again.
    """
    if isinstance(release, DeferredRelease):
        raise UsageError(
            "the rows of this release are computed and verified while they are written: save it "
            "with the function of its engine (tokumei.spark)"
        )
    if not is_verified(release):
        require_no_violations(kind.flow.faults(release))
        if isinstance(release, VerifiableRelease):
            # The one place that fills the field; the object is frozen for everybody else.
            object.__setattr__(release, "verification", Verification(_SEAL, ref(release)))
    return VerifiedRelease(release, _SEAL)


def remember_source(release: object, source: object) -> None:
    """Let a release in memory carry what it was made from."""
    if isinstance(release, VerifiableRelease):
        object.__setattr__(release, "source", source)


def verify_written(release: R, result: VerificationResult, rows: int) -> VerifiedRelease[R]:
    """The same of rows that were read back from where they were written: so many, no violation."""
    result.require_valid(rows)
    return VerifiedRelease(release, _SEAL)


def require_verified(verified: VerifiedRelease[Release]) -> None:
    """Fail, where no type checker looks, unless it is a verified release that gets its files."""
    if not isinstance(verified, VerifiedRelease):
        raise TypeError("only the files of a VerifiedRelease get their names")


def is_verified(release: object) -> bool:
    """Whether this very object carries a verification."""
    if not isinstance(release, VerifiableRelease) or release.verification is None:
        return False
    return release.verification.holds_for(release)


def check_unverified(
    release: Release, check: Callable[[], list[CheckedClaim]]
) -> list[CheckedClaim]:
    """Every claim of a release with its violations; a verified one has none and is not checked."""
    if is_verified(release):
        return [CheckedClaim(claim, []) for claim in release.claims]
    return check()

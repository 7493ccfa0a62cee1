"""Verified releases: made by verification only; a changed release is not a verified one."""

from __future__ import annotations

import copy
import pickle
from dataclasses import FrozenInstanceError, replace
from weakref import ref

import pytest

import tokumei as tk
from tokumei.core.claims import VerificationResult
from tokumei.core.errors import ClaimError, UsageError
from tokumei.core.verification import (
    DeferredRelease,
    Verification,
    VerifiedRelease,
    is_verified,
    verify_release,
    verify_written,
)
from tokumei.files.atomic_write import Output, stage_files
from tokumei.files.release_files import publish_files
from tokumei.tables.kind import TABLES
from tokumei.tables.verification.k_anonymity import KAnonymity


@pytest.fixture
def release():
    table = tk.sample_table(60, seed=1)
    return tk.anonymize(table, "mondrian", k=3, seed=1)


@pytest.fixture
def checks(monkeypatch):
    """The public tables whose k-anonymity was recomputed."""
    seen, check = [], KAnonymity.check

    def count(self, public):
        seen.append(public)
        return check(self, public)

    monkeypatch.setattr(KAnonymity, "check", count)
    return seen


def falsely_claimed(release):
    """The same rows with a claim that does not hold."""
    claims = tuple(
        replace(claim, params={**claim.params, "k": 50}) if claim.rule == "k-anonymity" else claim
        for claim in release.claims
    )
    return replace(release, claims=claims)


def test_nobody_makes_a_verified_release_by_hand(release):
    verified = verify_release(TABLES, release)
    with pytest.raises(TypeError):
        VerifiedRelease(release)
    with pytest.raises(TypeError, match="verify_release only"):
        VerifiedRelease(release, object())
    with pytest.raises(ValueError, match="seal"):
        replace(verified, release=falsely_claimed(release))
    with pytest.raises(TypeError, match="verify_release only"):
        replace(verified, release=falsely_claimed(release), seal=object())
    with pytest.raises(FrozenInstanceError):
        verified.release = falsely_claimed(release)
    with pytest.raises(TypeError, match="verify_release only"):
        Verification(object(), ref(release))


def test_a_release_cannot_be_told_that_it_is_verified(release):
    with pytest.raises(TypeError, match="verification"):
        tk.Release(release.public, release.link, verification=release.verification)
    with pytest.raises(ValueError, match="init=False"):
        replace(release, verification=release.verification)
    with pytest.raises(FrozenInstanceError):
        release.verification = None
    assert "erification" not in repr(release)


@pytest.mark.parametrize(
    "change",
    [replace, copy.copy, copy.deepcopy, lambda release: pickle.loads(pickle.dumps(release))],
    ids=["replace", "copy", "deepcopy", "pickle"],
)
def test_no_copy_carries_the_verification_along(release, change):
    assert is_verified(release)
    changed = change(release)
    assert not is_verified(changed)
    object.__setattr__(changed, "claims", falsely_claimed(release).claims)
    with pytest.raises(ClaimError):
        verify_release(TABLES, changed)


def test_a_verification_put_into_another_release_holds_for_nothing(release):
    false = falsely_claimed(release)
    object.__setattr__(false, "verification", release.verification)
    with pytest.raises(ClaimError):
        verify_release(TABLES, false)


def test_the_frame_that_users_get_is_their_own(release):
    for frame in (release.frame, release.to_polars()):
        before = release.public.frame.clone()
        frame[0, frame.columns[0]] = frame[1, frame.columns[0]]
        frame.insert_column(0, frame[frame.columns[0]].alias("name"))
        assert release.public.frame.equals(before)


def test_a_release_is_verified_once(release, checks, tmp_path):
    tk.save(release, tmp_path / "first.csv")
    tk.save(release, tmp_path / "second.csv")
    assert not checks
    tk.save(replace(release), tmp_path / "third.csv")
    assert len(checks) == 1


def test_a_changed_release_is_verified_when_it_is_saved(release, tmp_path):
    with pytest.raises(ClaimError):
        tk.save(falsely_claimed(release), tmp_path / "y.csv", secret=tmp_path / "link.csv")
    assert not list(tmp_path.iterdir())


def test_files_get_their_names_for_a_verified_release_only(release, tmp_path):
    output = Output(tmp_path / "y.csv", lambda stream: stream.write(b"a\n1\n"))
    with stage_files([output]) as staged, pytest.raises(TypeError, match="VerifiedRelease"):
        publish_files(staged, release)
    assert not list(tmp_path.iterdir())
    with stage_files([output]) as staged:
        publish_files(staged, verify_release(TABLES, release))
    assert (tmp_path / "y.csv").read_bytes() == b"a\n1\n"


def test_rows_that_are_not_computed_yet_are_verified_as_they_were_written():
    class Cluster(DeferredRelease):
        claims = ()

    with pytest.raises(UsageError, match="while they are written"):
        verify_release(TABLES, Cluster())
    with pytest.raises(RuntimeError, match="5 rows should have been written"):
        verify_written(Cluster(), VerificationResult([], 0, rows=4), 5)
    assert isinstance(
        verify_written(Cluster(), VerificationResult([], 0, rows=5), 5), VerifiedRelease
    )

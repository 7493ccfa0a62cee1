"""Tests of tokumei.apps.contest.store.vault."""

from __future__ import annotations

import hashlib

from apps.contest.store.file_store_helpers import ENTRY
from tokumei.apps.contest.store.vault import Vault


def test_commitments_are_salted_and_stay(tmp_path):
    vault = Vault.open(tmp_path / "vault")
    first = vault.commitments(ENTRY, b"S", b"F")
    salts = vault.salts(ENTRY)
    assert vault.commitments(ENTRY, b"S", b"F") == first
    assert vault.commitments("b" * 20, b"S", b"F")["truth_commitment"] != first["truth_commitment"]
    for what, data in (("public", b"S"), ("truth", b"F")):
        salt = bytes.fromhex(salts[what])
        assert len(salt) == 32
        assert hashlib.sha256(salt + data).hexdigest() == first[f"{what}_commitment"]

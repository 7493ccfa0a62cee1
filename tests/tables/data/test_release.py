"""What a release shows and what it keeps."""

from __future__ import annotations

import hashlib
import json

import numpy as np
import pytest

from support.paper import X
from tokumei.core.provenance import Claim, Provenance
from tokumei.tables.data.table import Release

CLAIM = Claim("k-anonymity", {"k": 2, "columns": ["QI1"]})
PROVENANCE = Provenance(({"method": "noise", "scale": 0.1},), "feedbeef", 987654)
RELEASE = Release(X, np.array([3, 1, 2, 0]), (CLAIM,), PROVENANCE)


def test_the_manifest_is_public_plain_data() -> None:
    manifest = json.loads(json.dumps(RELEASE.manifest()))
    assert manifest["rows"] == 4
    assert manifest["columns"]["QI1"] == "quasi-identifier"
    assert manifest["claims"] == [{"rule": "k-anonymity", "params": {"k": 2, "columns": ["QI1"]}}]
    assert manifest["provenance"]["steps"] == [{"method": "noise", "scale": 0.1}]
    assert manifest["provenance"]["randomness"] == "seeded"
    assert {"tokumei", "numpy", "polars", "scipy"} <= set(manifest["provenance"]["versions"])


def test_the_manifest_holds_no_seed_no_hash_no_link() -> None:
    text = json.dumps(RELEASE.manifest())
    for secret in ("987654", "feedbeef", 'seed"', "sha256", "link"):
        assert secret not in text


def test_the_secret_side_has_seed_and_hash() -> None:
    secret = PROVENANCE.as_json(public=False)
    assert (secret["seed"], secret["source_sha256"]) == (987654, "feedbeef")
    assert Provenance().as_json(public=True)["randomness"] == "os"


def test_repr_hides_the_link() -> None:
    assert repr(RELEASE) == "Release(rows=4, claims=k-anonymity, link=<secret>)"
    assert repr(Release(X, np.arange(4))) == "Release(rows=4, claims=none, link=<secret>)"


def test_one_origin_per_row() -> None:
    with pytest.raises(ValueError, match="one original row number per released row"):
        Release(X, np.arange(3))


def test_a_recipe_has_the_same_hash_on_any_data_and_with_any_seed() -> None:
    steps = PROVENANCE.steps
    said = PROVENANCE.as_json(public=True)["recipe_hash"]
    plain = b'[{"method":"noise","scale":0.1}]'
    assert said == hashlib.sha256(plain).hexdigest()
    assert Provenance(steps, "other", 5).recipe_hash == said
    assert Provenance(({"scale": 0.1, "method": "noise"},)).recipe_hash == said
    assert Provenance(({"method": "noise", "scale": 0.2},)).recipe_hash != said
    assert Provenance((*steps, *steps)).recipe_hash != said

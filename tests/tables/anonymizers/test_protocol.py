"""Tests of tokumei.tables.anonymizers.protocol."""

from __future__ import annotations

import json

import numpy as np
import pytest

from tables.anonymizers.releases_helpers import PEOPLE, SEED, SHA256, WITH_ID, every_method, release
from tokumei.core.randomness import Randomness
from tokumei.tables.anonymizers.protocol import Pipeline, Step, TableMethod


@every_method
def test_identifiers_are_gone(method: TableMethod) -> None:
    made = release(method)
    assert made.public.schema.names == PEOPLE.schema.names
    assert "P0" not in made.public.frame.write_csv()


@every_method
@pytest.mark.no_cover
def test_same_seed_same_bytes_other_seed_other_bytes(method: TableMethod) -> None:
    first = release(method)
    again, other = (method.anonymize(WITH_ID, rng=Randomness(seed)) for seed in (SEED, 8))
    assert first.public.frame.write_csv() == again.public.frame.write_csv()
    assert first.link.tolist() == again.link.tolist()
    assert first.link.tolist() != other.link.tolist()


@every_method
@pytest.mark.no_cover
def test_without_a_seed_runs_differ(method: TableMethod) -> None:
    links = [method.anonymize(WITH_ID, rng=Randomness()).link.tolist() for _ in range(2)]
    assert links[0] != links[1]


@every_method
def test_the_secret_shows_nowhere(method: TableMethod) -> None:
    made = release(method)
    manifest = json.dumps(made.manifest())
    for text in (repr(made), manifest, str(made)):
        assert str(SEED) not in text
        assert SHA256[:8] not in text
        assert str(made.link.tolist())[1:20] not in text
        assert str(made.link)[1:12] not in text
    assert made.manifest()["provenance"]["randomness"] == "seeded"
    assert made.provenance.as_json(public=False)["seed"] == SEED


def test_a_step_does_not_show_its_link() -> None:
    assert "link" not in repr(Step.start(PEOPLE))


@every_method
@pytest.mark.no_cover
def test_shuffle_only_reorders(method: TableMethod) -> None:
    plain = method.anonymize(WITH_ID, rng=Randomness(SEED), shuffle=False)
    mixed = release(method)
    assert plain.link.tolist() != mixed.link.tolist()
    assert sorted(plain.link.tolist()) == sorted(mixed.link.tolist())
    back, straight = np.argsort(mixed.link), np.argsort(plain.link)
    assert mixed.public.frame[back].equals(plain.public.frame[straight])


def test_an_empty_pipeline_is_a_shuffle() -> None:
    made = Pipeline(()).anonymize(PEOPLE, rng=Randomness(1))
    assert made.public.frame.equals(PEOPLE.frame[made.link])

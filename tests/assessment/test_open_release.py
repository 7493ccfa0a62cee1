"""What is not given is as the release says, and links that cannot be are refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from tests.assessment.small_releases import AGES, open_frames

import tokumei as tk
from tokumei.assessment.open_release import AssessTable, open_release
from tokumei.core.errors import TokumeiError, UsageError
from tokumei.core.scenario import Scenario

FRAME = pl.DataFrame({"uid": range(100, 110), "age": AGES, "ill": ["flu", "gout"] * 5})


@pytest.mark.parametrize("link", [[0, 1], [0, 0, 2], [0, 1, 10], [-1, 0, 1]])
def test_every_released_row_has_another_origin(link: list[int]) -> None:
    with pytest.raises(UsageError, match="another original row for each of the 3"):
        open_frames(FRAME, FRAME.head(3), link=link)


def test_the_person_column_must_be_there_and_is_an_identifier() -> None:
    opened = open_frames(FRAME, person="uid")
    assert opened.identifiers == {"uid"}
    assert open_frames(FRAME, person="none").identifiers == set()
    with pytest.raises(TokumeiError, match="passport"):
        open_frames(FRAME, person="passport")


def test_columns_are_compared_that_both_sides_have() -> None:
    opened = open_frames(FRAME, FRAME.select("ill", "age").with_columns(extra=pl.lit(1)))
    assert opened.shared == ["age", "ill"]


@pytest.mark.parametrize("as_files", [False, True])
def test_a_release_brings_its_roles_claims_and_link(as_files: bool, tmp_path: Path) -> None:
    release = tk.anonymize(FRAME, "mondrian", qi=["age"], sa=["ill"], ids=["uid"], k=5, seed=1)
    request = AssessTable(original=FRAME, release=release, scenario=Scenario())
    if as_files:
        public, link = tmp_path / "y.csv", tmp_path / "link.csv"
        tk.save(release, public, secret=link)
        request = AssessTable(original=FRAME, release=public, link=link)
    opened = open_release(request)
    assert (opened.original.schema.qi, opened.original.schema.sa) == (["age"], ["ill"])
    assert opened.identifiers == {"uid"}
    assert opened.methods == ("mondrian",)
    assert opened.claims == release.claims
    assert ("k-anonymity", 5) in {(claim.rule, claim.params.get("k")) for claim in opened.claims}
    assert opened.link is not None
    assert np.array_equal(opened.link, release.link)
    assert opened.released.rows == 10


def test_roles_that_are_given_stand_for_those_of_the_release() -> None:
    release = tk.anonymize(FRAME, "mondrian", qi=["age"], sa=["ill"], ids=["uid"], k=5, seed=1)
    opened = open_release(AssessTable(original=FRAME, release=release, qi=("ill",), sa=()))
    assert (opened.original.schema.qi, opened.original.schema.sa) == (["ill"], [])

"""What the data is needed for: the named measures, as the measuring service scores them."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from tests.assessment.small_releases import AGES, CLASSES_OF_FIVE, open_frames

import tokumei as tk
from tokumei.assessment.uses import measure_uses
from tokumei.core.errors import UnknownNameError

FRAME = pl.DataFrame({"age": AGES, "amount": [float(i) for i in range(10)]})
RELEASE = FRAME.with_columns(amount=pl.col("amount") + 1)


def test_named_measures_have_the_scores_of_the_measuring_service() -> None:
    opened = open_frames(FRAME, RELEASE, qi=("age",), sa=("amount",))
    (figure,) = measure_uses(opened, ["U1"])
    expected = tk.measure(
        FRAME, RELEASE, link=np.arange(10), qi=["age"], sa=["amount"], methods=["U1"]
    )
    assert figure.score is not None
    assert figure.score.value == pytest.approx(expected["U1"].value)
    assert figure.to_dict()["name"] == "U1"


def test_uses_of_the_scenario_are_in_the_document() -> None:
    found = tk.assess(
        *(FRAME, FRAME.with_columns(age=pl.Series(CLASSES_OF_FIVE))),
        link=np.arange(10),
        qi=["age"],
        sa=["amount"],
        uses=["U1"],
        remedies=False,
    )
    (use,) = found.to_dict()["uses"]  # type: ignore[misc]
    assert use["name"] == "U1"
    assert found.scenario.uses == ("U1",)


def test_without_a_link_nothing_is_measured() -> None:
    from dataclasses import replace

    opened = replace(open_frames(FRAME, RELEASE, qi=("age",), sa=("amount",)), link=None)
    (figure,) = measure_uses(opened, ["U1"])
    assert figure.score is None


def test_a_measure_that_is_none_is_refused() -> None:
    with pytest.raises(UnknownNameError):
        measure_uses(open_frames(FRAME, RELEASE, qi=("age",)), ["means"])

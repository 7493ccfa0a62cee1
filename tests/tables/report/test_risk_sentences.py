"""Tests of tokumei.tables.report.risk_sentences."""

from __future__ import annotations

from dataclasses import replace

import polars as pl

from tokumei.tables.report.risk_sentences import (
    key_figures,
    population_figure,
    population_sentence,
    risk_advice,
    risk_headline,
)
from tokumei.tables.risk.risk import risk


def test_figures_and_words() -> None:
    many = risk(pl.DataFrame({"q": range(40)}), qi=["q"])
    assert all(figure.level is None for figure in key_figures(many))
    assert [figure.value for figure in key_figures(many)][:3] == ["100 %"] * 3
    assert "Start with q" in risk_advice(many).show("en")
    assert risk_headline(many).show("en").endswith("their values in 1 column.")


def test_a_column_that_one_person_has_twice_is_not_called_harmless() -> None:
    """Two visits of each: the postcode is on two rows, and still names its patient."""
    frame = pl.DataFrame(
        {
            "patient": [f"P{i // 2}" for i in range(40)],
            "postcode": [f"1{i // 2:02d}" for i in range(40)],
            "day": [f"d{i}" for i in range(40)],
        }
    )
    found = risk(frame, qi=["postcode", "day"], person="patient")
    assert found.without == {"postcode": 1.0, "day": 1.0}
    assert risk_advice(found).show("en") == (
        "Leaving out one column is not enough: even without postcode, 100 % of the rows would be "
        "unique."
    )
    assert risk_advice(found).show("ja") == (
        "1 列を除くだけでは足りません。postcode を除いても、100 % の行が一人に絞られます。"
    )


def test_a_figure_on_which_models_disagree_is_a_range_and_no_fraction_of_a_person() -> None:
    found = risk(pl.DataFrame({"q": [i // 2 for i in range(400)]}), qi=["q"], population=1_000_000)
    people = found.population
    assert people is not None
    apart = replace(
        people,
        estimates=tuple(
            replace(estimate, uniques=uniques)
            for estimate, uniques in zip(people.estimates, (243_489.0, 0.0, 659.0), strict=False)
        ),
    )
    estimates = [estimate.uniques for estimate in apart.estimates if estimate.usable]
    figure = population_figure(apart)
    assert max(estimates) > 200_000
    assert figure.value != "0 %"
    assert "24.3 %" in figure.value
    tiny = population_sentence(replace(found, population=replace(people, uniques=1.7e-9)))
    assert tiny is not None
    assert tiny.show("en").startswith("Fewer than 1 of 1,000,000 people")

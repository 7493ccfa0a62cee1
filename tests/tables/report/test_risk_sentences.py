"""Tests of tokumei.tables.report.risk_sentences."""

from __future__ import annotations

import polars as pl

from tokumei.tables.report.risk_sentences import key_figures, risk_advice, risk_headline
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

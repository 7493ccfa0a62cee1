from __future__ import annotations

import json

import pytest

from tokumei.tables.evaluation import Evaluation
from tokumei.tables.report.scorecard import releases_on_front, scorecard, verbatim_share


def test_rows_hold_what_was_measured(evaluations: list[Evaluation]) -> None:
    rows = scorecard(evaluations)
    assert [row.label for row in rows] == [evaluation.label for evaluation in evaluations]
    first = rows[0]
    assert first.methods == ("mondrian",)
    assert first.value("S1") == 5
    assert first.value("unknown") is None
    assert set(first.attacks) == set(evaluations[0].attacks)
    assert rows[-1].methods == ("mondrian", "microaggregate")


def test_json_is_plain_and_bilingual(evaluations: list[Evaluation]) -> None:
    row = json.loads(json.dumps(scorecard(evaluations)[0].as_json()))
    assert row["scores"]["S1"]["value"] == 5
    assert row["scores"]["S1"]["level"] is None
    assert "level" not in row["strongest"]
    assert row["strongest"]["baseline"] == pytest.approx(1 / 2000)
    assert "行" in row["strongest"]["reading_ja"]
    assert "link" not in row


def test_yamaoka_is_never_good(by_label: dict[str, Evaluation]) -> None:
    (row,) = scorecard([by_label["C yamaoka"]])
    assert row.strongest.rate < 0.02
    assert row.relabelled
    assert "values are unchanged" in row.warnings[0].show("en")
    assert "permuted" in row.figures["U5"].reading.show("en")
    assert not row.front


def test_other_methods_carry_no_warning(by_label: dict[str, Evaluation]) -> None:
    for label, evaluation in by_label.items():
        assert bool(scorecard([evaluation])[0].warnings) is (label == "C yamaoka")


def test_verbatim_share(by_label: dict[str, Evaluation]) -> None:
    assert verbatim_share(by_label["C yamaoka"]) == 1.0
    assert verbatim_share(by_label["H delete"]) == 1.0
    assert verbatim_share(by_label["B noise"]) < 0.01


def test_front_leaves_permuted_links_out(evaluations: list[Evaluation]) -> None:
    front = releases_on_front(evaluations, "U5")
    labels = [e.label for e, on in zip(evaluations, front, strict=True) if on]
    assert "C yamaoka" not in labels
    assert "A+F" in labels
    assert releases_on_front(evaluations, "unknown") == [False] * len(evaluations)


def test_rounding_error_counts_as_nothing(by_label: dict[str, Evaluation]) -> None:
    (row,) = scorecard([by_label["F microaggregate"]])
    assert row.figures["U1"].shown == "0"
    assert "unchanged" in row.figures["U1"].reading.show("en")

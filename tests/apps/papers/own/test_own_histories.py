"""Tests of tokumei.apps.papers.own.own_histories."""

import pytest

import tokumei as tk
from apps.papers.own.own_study_samples import make_blocks, rows_of, write_history


@pytest.fixture(scope="module")
def blocks(tmp_path_factory):
    return make_blocks("000", write_history(tmp_path_factory.mktemp("own")), k="2-4")


def test_losses_are_those_of_the_sweep(blocks, tmp_path):
    history = tk.read_history(write_history(tmp_path))
    points = tk.sweep(history, "rank-match", range(2, 5)).points
    assert [row[:2] for row in rows_of(blocks["table9"])] == [[p.value, p.loss] for p in points]
    assert [row[1] for row in rows_of(blocks["table13"])] == [point.loss for point in points]


def test_with_categories_the_sum_is_loss_and_risk(blocks):
    for k, loss, risk, total in rows_of(blocks["table14"]):
        assert (risk, total) == (1 / k, pytest.approx(loss + risk))
    assert sum(row[1] for row in rows_of(blocks["table10"])) == rows_of(blocks["data"])[2][1]
    assert [panel.name for panel in blocks["figure1"].panels] == ["figure1"]
    assert rows_of(blocks["figure2"])[0][1] in (2, 3, 4)


def test_rising_order_gives_another_loss(blocks, tmp_path):
    path = write_history(tmp_path)
    rising = make_blocks("000", path, k="3", ascending=True)
    assert rows_of(rising["table9"])[0][1] != rows_of(blocks["table9"])[1][1]

"""Tests of tokumei.apps.papers.own.own_table."""

import pytest

from apps.papers.own.own_study_samples import make_blocks, rows_of, write_table
from tokumei.core.errors import UsageError

ROLES = {"qi": "household_size,earners,region,occupation", "sa": "food,housing,education"}


@pytest.fixture(scope="module")
def blocks(tmp_path_factory):
    path = write_table(tmp_path_factory.mktemp("own"))
    return make_blocks("003", path, **ROLES, pairs="DA+DF,DB+DH", x="U2")


def test_nothing_changes_the_original_and_deletion_changes_the_rows(blocks):
    rows = {row[0]: row[1:] for row in rows_of(blocks["table11"])}
    assert [rows[name][0] for name in ("U1", "U2", "U3", "U4", "U5", "U6")] == [0] * 6
    assert rows["U6"][1:] == [0] * 7 + [6]
    assert rows["S1"][1] >= 3


def test_pairs_are_measured_and_their_methods_inferred(blocks):
    assert [str(heading) for heading in blocks["table12"].headings] == ["measure", "DA+DF", "DB+DH"]
    symbols = {str(row[0]): row[1:] for row in rows_of(blocks["table13"])}
    assert symbols["U6"] == ["-", "×"]
    assert "DH" in str(symbols["methods inferred"][1])
    first = [row[3] for row in rows_of(blocks["table14"])]
    assert first == [row[1] for row in rows_of(blocks["table13"])][:-1]


def test_means_deviations_and_wins_are_of_the_releases_above(blocks):
    rows = rows_of(blocks["table15"])
    releases, (mean, _, wins) = rows[:-3], rows[-3:]
    assert len(releases) == 10
    assert mean[1] == pytest.approx(sum(row[1] for row in releases) / 10)
    assert wins[1] == sum("E1" in row[6].split(", ") for row in releases)


def test_the_axes_can_be_chosen(blocks, tmp_path):
    assert [str(heading) for heading in blocks["figure1"].headings] == ["release", "U2", "E3"]
    with pytest.raises(UsageError, match="U9"):
        make_blocks("003", write_table(tmp_path), **ROLES, x="U9")
    with pytest.raises(UsageError, match="DA\\+DF"):
        make_blocks("003", write_table(tmp_path), **ROLES, pairs="DA")


def test_curves_and_times(blocks):
    work = [row[1] for row in rows_of(blocks["figure2"])]
    assert work == sorted(work, reverse=True)
    assert [row[0] for row in rows_of(blocks["runtime"])][-1] == "EUC2"

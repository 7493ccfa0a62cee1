"""A rate is given only where the link can be true."""

from __future__ import annotations

import numpy as np
import pytest

import tokumei as tk


@pytest.fixture
def people():
    return tk.sample_table(200, seed=3)


def test_a_shuffled_frame_without_its_link_gets_no_rate(people):
    release = tk.anonymize(people, "mondrian", k=5, seed=1)
    assert tk.attack(people, release, seed=1)["everything"].rate == 1.0
    with pytest.raises(tk.UsageError, match="without the link"):
        tk.attack(people, release.frame, seed=1)


def test_the_link_may_be_given_beside_a_frame(people):
    release = tk.anonymize(people, "mondrian", k=5, seed=1)
    rates = tk.attack(people, release.frame, link=release.link, seed=1)
    assert rates["everything"].rate == tk.attack(people, release, seed=1)["everything"].rate


def test_fewer_rows_without_a_link_get_no_rate(people):
    kept = people.frame.head(150)
    with pytest.raises(tk.UsageError, match="150 rows and the original 200"):
        tk.attack(people, kept, seed=1)
    rates = tk.attack(people, kept, link=np.arange(150), seed=1)
    assert rates["everything"].rate == 1.0


def test_rows_in_the_order_of_the_original_need_no_link(people):
    release = tk.anonymize(people, "mondrian", k=5, seed=1, keep_order=True)
    assert tk.attack(people, release.frame, seed=1)["everything"].rate == 1.0


def test_what_compares_rows_is_not_measured_by_a_link_that_cannot_be_true(people):
    release = tk.anonymize(people, "mondrian", k=5, seed=1)
    by_link = tk.measure(people, release)
    without = tk.measure(people, release.frame)
    assert {*by_link} - {*without} == {"U5"}
    assert all(by_link[name].value == score.value for name, score in without.items())
    with pytest.raises(tk.UsageError, match="without the link"):
        tk.measure(people, release.frame, methods=["U5"])
    kept = tk.anonymize(people, "mondrian", k=5, seed=1, keep_order=True)
    assert tk.measure(people, kept.frame)["U5"].value == by_link["U5"].value


def test_a_link_that_is_given_beside_a_release_counts(people):
    release = tk.anonymize(people, "mondrian", k=5, seed=1)
    with pytest.raises(tk.UsageError, match="the link has 2 rows but the release has 200"):
        tk.attack(people, release, link=np.arange(2))

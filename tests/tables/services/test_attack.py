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

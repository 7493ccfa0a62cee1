"""Tests of tokumei.api.pages."""

import numpy as np

import tokumei as tk
from tables.audit.people import normals


def test_no_column_of_people_is_a_warning():
    """What is not released cannot be attacked: it is said once, among what was not tried."""
    people = [normals(np.random.default_rng(seed), 60, 3) for seed in range(2)]
    release = people[0].drop("x2")
    found = tk.audit(release, members=people[0], control=people[1], kinds=["membership"], seed=1)
    assert not found.warnings
    assert tk.render(found).count("columns not in the release: x2") == 1

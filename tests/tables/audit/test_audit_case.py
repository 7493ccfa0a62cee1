"""Tests of tokumei.tables.audit.audit_case."""

import numpy as np
import polars as pl

import tokumei as tk
from tables.audit.audit_samples import FAST, warned


def test_a_reference_with_members_is_warned_of():
    rng = np.random.default_rng(2)
    m, c, r = (pl.DataFrame({"x": rng.normal(size=200), "y": rng.normal(size=200)}) for _ in "mcr")
    found = tk.audit(m, members=m, control=c, reference=pl.concat([r, m[:40]]), **FAST)
    assert "the reference seems to contain members" in warned(found)
    assert found.as_json()["control_test"]["reference_mixed"]
    found = tk.audit(m, members=m, control=c, reference=pl.concat([r, c[:40]]), **FAST)
    assert "people of the control" in warned(found)

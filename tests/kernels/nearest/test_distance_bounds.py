"""Tests of tokumei.kernels.nearest.distance_bounds."""

import polars as pl
import pytest

from tables.audit.people import case_of, seen_of
from tokumei.tables.audit.control_matching import ControlMatching


def test_a_member_whose_cells_no_control_fits_is_matched_by_distance():
    members = pl.DataFrame({"age": [20.0] * 40 + [90.0] * 10, "sex": ["f"] * 50})
    control = pl.DataFrame({"age": [20.0] * 30 + [60.0] * 8, "sex": ["f"] * 38})
    release = pl.DataFrame({"age": ["[20;25]"] * 40 + ["[85;95]"] * 10, "sex": ["f"] * 50})
    seen, member = seen_of(case_of(release, members, control, None))
    age = seen.columns[0].value_numbers[seen.columns[0].known[: seen.targets]][~member]
    found = ControlMatching.of(seen, member).weights
    assert found[age == 60] == pytest.approx(10 / 50 / 8)
    assert found[age == 20] == pytest.approx(40 / 50 / 30)

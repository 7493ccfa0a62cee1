"""What `pseudonyms` releases with singular rows deleted passes the conformity checks."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tokumei import anonymize, save
from tokumei.conformity.assessment import conform
from tokumei.core.conformity_case import CaseFiles
from tokumei.files.atomic_write import write_all
from tokumei.pseudonyms.conformity import CUSTOMER_COLUMNS, period_case
from tokumei.pseudonyms.data.sample_data import sample_periods
from tokumei.pseudonyms.formats.pws2017 import master_output, rows_output


@pytest.mark.long
@pytest.mark.parametrize("seed", range(5))
def test_no_check_fails(tmp_path: Path, seed: int) -> None:
    source = sample_periods(3000, customers=60, seed=seed)
    changes = {"day": 15, "price_noise": 0.1, "quantity_noise": 2, "time": "constant"}
    release = anonymize(source, "pseudonyms", seed=seed, singular="delete", **changes)
    t, m, a = (tmp_path / name for name in ("T.csv", "M.csv", "A.csv"))
    write_all([rows_output(source.rows, t), master_output(source.master, m)])
    save(release, aligned=a)
    case = period_case(CaseFiles("pws2017", str(t), str(a), master=str(m)))
    found = conform(case, customer_columns=CUSTOMER_COLUMNS)
    assert [one.id for one in found.findings if one.verdict == "FAIL"] == []
    assert release.rows.kept.mean() > 0.5
    kept = anonymize(source, "pseudonyms", seed=seed, **changes)
    assert kept.rows.kept.all()


def test_rows_left_do_not_stand_out() -> None:
    source = sample_periods(1500, customers=30, seed=9)
    release = anonymize(source, "pseudonyms", seed=1, singular="delete", price_noise=0.2)
    kept = np.flatnonzero(release.rows.kept)
    buyers: dict[str, set[str]] = {}
    for row in kept.tolist():
        item = release.rows.cells["item"][row]
        buyers.setdefault(item, set()).add(source.rows.cells["customer"][row])
    assert min(len(people) for people in buyers.values()) >= 2
    for name in ("prices", "quantities"):
        before, after = getattr(source.rows, name), getattr(release.rows, name)[kept]
        assert (np.abs(after - before.mean()) <= 4 * before.std()).all()

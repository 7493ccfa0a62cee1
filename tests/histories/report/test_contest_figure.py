from __future__ import annotations

from pathlib import Path

import pytest

from support.histories import contest_history
from tokumei.core.sweep import sweep as sweep_of
from tokumei.histories.kind import HISTORIES
from tokumei.histories.report.chart_data import loss_risk_rows, to_runs

PAPER = {2: 0.348, 3: 0.472, 4: 0.542, 5: 0.583, 6: 0.615, 7: 0.642, 8: 0.680, 10: 0.718}


@pytest.mark.data
def test_figure_2_of_the_paper(real_data: Path) -> None:
    sweep = sweep_of(HISTORIES, contest_history(real_data), "rank-match", list(PAPER), seed=1)
    rows = loss_risk_rows(to_runs([sweep]))
    losses = {row["x"]: row["value"] for row in rows if row["what_en"] == "loss"}
    assert losses == pytest.approx(PAPER, abs=0.001)
    assert [row["note"] for row in rows if row["best"]] == ["k = 6: 0.782"]

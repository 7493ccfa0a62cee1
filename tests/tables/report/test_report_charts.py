from __future__ import annotations

import json

from tables.report.report_charts_helpers import tradeoff
from tokumei.tables.evaluation import Evaluation


def test_charts_repeat_to_the_byte(evaluations: list[Evaluation]) -> None:
    first, second = (json.dumps(tradeoff(evaluations, "U5", "en").to_dict()) for _ in range(2))
    assert first == second
    assert "view_" not in first

"""What the tests split from test_result_table share."""

from __future__ import annotations

from tokumei.core.messages import Message
from tokumei.core.result_table import ShownAsTable


class Findings(ShownAsTable):
    """Texts and figures under a caption."""

    def caption(self):
        return Message("two findings", "所見は二つ")

    def table_rows(self):
        return [
            {"what": Message("a & b", "甲"), "share": 0.5},
            {"what": Message("c", "乙丙"), "share": None, "rows": 7},
        ]

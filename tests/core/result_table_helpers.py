"""What the tests split from test_result_table share."""

from __future__ import annotations

from tokumei.core.messages import Message
from tokumei.core.result_table import ShownAsTable


class Findings(ShownAsTable):
    """Texts and figures under a caption."""

    def caption(self):
        return Message.of_texts({"en": "two findings", "ja": "所見は二つ"})

    def table_rows(self):
        return [
            {"what": Message.of_texts({"en": "a & b", "ja": "甲"}), "share": 0.5},
            {"what": Message.of_texts({"en": "c", "ja": "乙丙"}), "share": None, "rows": 7},
        ]

"""Tests of tokumei.tables.data.notebook."""

from __future__ import annotations

import tokumei as tk
from tables.frames_in_and_out_helpers import ROWS, visits
from tables.frames_in_and_out_samples import released


def test_notebooks_show_fates_and_public_rows_only() -> None:
    frame = visits(mail=[f"user{i}@example.com" for i in range(ROWS)])
    release = released(frame, ids=["mail"])
    shown = release._repr_html_()
    assert "mail" in shown
    assert "@example.com" not in shown
    assert shown.count("<tr>") <= 1 + 10 + 1 + len(frame.columns)
    table = tk.Table.of(frame, qi=["age"])
    assert "@example.com" not in table._repr_html_()

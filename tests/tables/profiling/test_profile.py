"""The repr of a look names columns and their roles, and shows no cell."""

from __future__ import annotations

import pandas as pd

import tokumei as tk


def test_the_repr_shows_no_cell():
    names = [f"Zebulon {chr(65 + i)}" for i in range(26)]
    frame = pd.DataFrame({"name": names, "age": range(20, 46), "note": ["secret word"] * 26})
    shown = repr(tk.look(frame))
    assert shown.splitlines()[0] == "26 rows, 3 columns"
    assert all(column in shown for column in frame.columns)
    assert "Zebulon" not in shown
    assert "secret word" not in shown

"""Tests of tokumei.api.data."""

from __future__ import annotations

import tokumei as tk
from pseudonyms.services.front_ends_helpers import CASES, HISTORY, by_python


def test_frames_are_read_as_their_file(tokumei):
    for name, case in CASES.items():
        case.write()
        read, _, written = by_python(case, case.name)
        master = HISTORY.master.frame
        for frame in (case.frame, case.frame.to_pandas(), case.frame.to_arrow()):
            history = tk.read_history(frame, format="pws2017", master=master)
            assert history.frame.equals(read.frame), name
        assert by_python(case, case.frame.to_pandas(), master.to_pandas())[2] == written, name

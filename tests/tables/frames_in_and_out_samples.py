"""What the tests split from test_frames_in_and_out share."""

from __future__ import annotations

from typing import Any

import tokumei as tk


def released(frame: Any, **more: Any) -> tk.Release:
    asked = {"k": 5, "qi": ["age", "sex"], "sa": ["paid"], "seed": 1, **more}
    return tk.anonymize(frame, "mondrian", **asked)

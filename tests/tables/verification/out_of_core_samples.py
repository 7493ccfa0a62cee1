"""What the tests split from test_out_of_core share."""

from __future__ import annotations

import pytest

from tokumei.apps.cli.app import main


def run_check(*arguments: str) -> int | str | None:
    with pytest.raises(SystemExit) as stop:
        main(["check", "--format", "table", *arguments])
    return stop.value.code

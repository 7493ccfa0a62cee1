"""Tests of tokumei.core.shared_options."""

from __future__ import annotations

import pytest

from apps.cli.spark_command_samples import HISTORY
from support.command_line import run


@pytest.mark.parametrize("option", [("--categories", "prefix:2"), ("--keep", "non-product")])
def test_options_that_spark_does_not_use_are_refused(capsys, option):
    code, _, err = run(capsys, *HISTORY, "--method", "rank-match", *option)
    assert (code, f"--engine spark does not use {option[0]}" in err) == (2, True)

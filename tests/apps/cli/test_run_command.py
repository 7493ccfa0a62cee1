"""Tests of tokumei.apps.cli.app."""

from __future__ import annotations

import pytest

from apps.cli.spark_command_samples import ANONYMIZE
from support.command_line import run


@pytest.mark.parametrize(
    ("option", "called"),
    [
        (("--cluster", "local"), "--cluster"),
        (("--master", "local"), "--cluster"),
        (("--fragments", "3"), "--fragments"),
    ],
)
def test_options_of_spark_need_spark(capsys, option, called):
    code, _, err = run(capsys, *ANONYMIZE, *option)
    assert (code, f"{called} needs --engine spark" in err) == (2, True)

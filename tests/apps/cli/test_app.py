"""Tests of tokumei.apps.cli.app."""

from __future__ import annotations

from pathlib import Path

import pytest

from apps.cli.spark_command_samples import ANONYMIZE
from support.command_line import run
from tokumei.apps.cli.app import main


def test_a_kind_that_measures_no_effects_refuses_the_option(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each kind says what it does not use; the command knows no kind."""
    for name in ("x.csv", "y.csv"):
        (tmp_path / name).write_text("age\n30\n30\n")
    files = ["--original", str(tmp_path / "x.csv"), "--release", str(tmp_path / "y.csv")]
    with pytest.raises(SystemExit) as done:
        main(["conform", *files, "--qi", "age", "--effects"])
    assert done.value.code == 2
    assert "does not use --effects" in capsys.readouterr().err


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

"""Tests of tokumei.histories.commands.history_file."""

from __future__ import annotations

from pathlib import Path

import pytest

from histories.anybodys_history_samples import COLUMNS, like_cdnow
from tokumei.apps.cli.app import main


def test_another_layout_of_the_file_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    like_cdnow(300, 40).write_csv("s.csv")
    named = ",".join(f"{own}={name}" for own, name in COLUMNS.items())
    with pytest.raises(SystemExit) as done:
        main(["attack", "--known", "s.csv", "--public", "s.csv", "--columns", named + "x"])
    assert done.value.code == 2
    assert "dollarsx" in capsys.readouterr().err

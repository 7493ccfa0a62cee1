"""The command line in this process."""

from __future__ import annotations

from typing import Any

import pytest

from tokumei.apps.cli.app import main
from tokumei.core.language import use_language


def exit_code(*args: object) -> int:
    """How a command ended."""
    with pytest.raises(SystemExit) as done:
        main([str(one) for one in args])
    use_language(None)
    return int(done.value.code or 0)


def run(capsys: Any, *args: object) -> tuple[int, str, str]:
    """The exit code and what was printed."""
    capsys.readouterr()
    code = exit_code(*args)
    printed = capsys.readouterr()
    return code, printed.out, printed.err

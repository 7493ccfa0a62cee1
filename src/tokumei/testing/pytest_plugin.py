"""Plugin of pytest: every file in `tokumei-checks.yaml` is a test.

    pytest                             # collects each tokumei-checks.yaml that it passes
    pytest --tokumei-values            # shows the cells of classes that are too small

It is loaded wherever Tokumei is installed beside pytest, and imports nothing until it is needed.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tokumei.testing.check_files import FileCheck

CHECKS_FILE = "tokumei-checks.yaml"
SHOW_VALUES = "--tokumei-values"


def pytest_addoption(parser: pytest.Parser) -> None:
    """The option of the plugin."""
    parser.getgroup("tokumei").addoption(
        SHOW_VALUES,
        action="store_true",
        help="show the cells of classes that break a privacy model, which may be those of a person",
    )


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> ChecksFile | None:
    """The checks of a file of that name."""
    if file_path.name != CHECKS_FILE:
        return None
    return ChecksFile.from_parent(parent, path=file_path)


class ChecksFile(pytest.File):
    """`tokumei-checks.yaml`."""

    def collect(self) -> Iterator[CheckItem]:
        """A test for each published file."""
        from tokumei.testing.check_files import read_checks

        for check in read_checks(self.path):
            yield CheckItem.from_parent(self, name=check.data, check=check)


class CheckItem(pytest.Item):
    """A published file that must fulfil its models."""

    def __init__(self, *, check: FileCheck, **more: Any) -> None:
        super().__init__(**more)
        self.check = check

    def runtest(self) -> None:
        """Fail with the violations."""
        from tokumei.testing.assertions import NotAnonymousError
        from tokumei.testing.check_files import describe_check, run_check

        checked = run_check(self.check, self.path.parent)
        show_values = bool(self.config.getoption(SHOW_VALUES))
        if lines := describe_check(checked, show_values=show_values):
            raise NotAnonymousError("\n".join(line.show() for line in lines), ())

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], *more: Any) -> Any:
        """The sentences alone: no code of the user's is to blame."""
        from tokumei.core.errors import TokumeiError
        from tokumei.testing.assertions import NotAnonymousError

        if isinstance(excinfo.value, NotAnonymousError | TokumeiError):
            return f"{self.check.data}\n{excinfo.value}"
        return super().repr_failure(excinfo, *more)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Where the test stands."""
        return self.path, None, f"tokumei: {self.check.data}"

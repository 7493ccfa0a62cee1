"""Hook of pre-commit: a commit is refused if a published file in it breaks its models.

    - repo: …/tokumei        # of .pre-commit-config.yaml
      hooks: [{id: tokumei-check}]

    python -m tokumei.testing.pre_commit [--checks tokumei-checks.yaml] [FILE …]

Of the files that are committed, those that `tokumei-checks.yaml` lists are checked; all of them if
that file itself is committed, or no file is named.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from tokumei.core.errors import TokumeiError
from tokumei.testing.check_files import (
    CHECKS_FILE,
    FileCheck,
    describe_check,
    read_checks,
    run_check,
)


def check_committed(checks_path: Path, committed: Sequence[str], *, show_values: bool) -> list[str]:
    """The lines to print: those of each file that breaks its models, or cannot be read."""
    checks = read_checks(checks_path)
    return [
        f"{check.data}: {line}"
        for check in select_checks(checks, checks_path, committed)
        for line in _check_file(check, checks_path.parent, show_values=show_values)
    ]


def select_checks(
    checks: Sequence[FileCheck], checks_path: Path, committed: Sequence[str]
) -> list[FileCheck]:
    """The checks of the files that are committed."""
    paths = {Path(name).resolve() for name in committed}
    if not paths or checks_path.resolve() in paths:
        return list(checks)
    return [check for check in checks if (checks_path.parent / check.data).resolve() in paths]


def _check_file(check: FileCheck, folder: Path, *, show_values: bool) -> list[str]:
    try:
        checked = run_check(check, folder)
    except TokumeiError as err:
        return [str(err)]
    return [line.show() for line in describe_check(checked, show_values=show_values)]


def main(arguments: Sequence[str] | None = None) -> int:
    """Check the files of a commit; 1 if one of them must not be committed."""
    parser = argparse.ArgumentParser(prog="tokumei-check")
    parser.add_argument("files", nargs="*")
    parser.add_argument("--checks", default=CHECKS_FILE)
    parser.add_argument("--show-values", action="store_true")
    options = parser.parse_args(arguments)
    try:
        lines = check_committed(
            Path(options.checks), options.files, show_values=options.show_values
        )
    except TokumeiError as err:
        lines = [str(err)]
    print("\n".join(lines), end="\n" if lines else "")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())

"""Records again, or shows what differs: `python -m golden --record [--only NAME]`, from tests/."""

from __future__ import annotations

import argparse
import os
import sys
from fnmatch import fnmatch
from pathlib import Path

os.environ.setdefault("POLARS_MAX_THREADS", "1")

from golden.compare import compare_recording
from golden.groups import GROUPS, RECORDED


def main() -> int:
    """Record the groups, or compare them with what was recorded; 1 if something differs."""
    parser = argparse.ArgumentParser(prog="python -m golden", description=__doc__)
    parser.add_argument("--record", action="store_true", help="write the recordings again")
    parser.add_argument("--only", default="*", help="a group's name, or a pattern: 'docs/ledger*'")
    parser.add_argument("--into", type=Path, default=RECORDED, help="the folder of recordings")
    parser.add_argument("--keep", type=Path, help="a folder for the files as they are compared")
    args = parser.parse_args()
    names = [name for name in GROUPS if fnmatch(name, args.only)]
    if not names:
        parser.error(f"no group is called {args.only}; groups: {', '.join(GROUPS)}")
    differences = 0
    for name in names:
        text = GROUPS[name].record(args.keep and args.keep / name)
        if args.record:
            path = args.into / GROUPS[name].path
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        elif difference := compare_recording(GROUPS[name], text, args.into):
            differences += 1
            print(difference)
    return int(differences > 0)


if __name__ == "__main__":
    sys.exit(main())

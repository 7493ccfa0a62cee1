"""`python -m independent public.csv [--original F] [--link L] [--sep ,]`: JSON, exit code 1 if not.

Of a history: `python -m independent public.csv --k 5 [--original T.csv --aligned A.csv]`.
"""

from __future__ import annotations

import argparse
import json
import sys

from independent.histories import mispaired, misplaced, published, read_lines, unlike
from independent.verifier import verify


def main(argv: list[str] | None = None) -> int:
    asked = argparse.ArgumentParser(prog="independent")
    asked.add_argument("public")
    asked.add_argument("--manifest")
    asked.add_argument("--original")
    asked.add_argument("--link")
    asked.add_argument("--sep", default=",")
    asked.add_argument("--k", type=int, help="the file is a history without a header")
    asked.add_argument("--aligned")
    given = asked.parse_args(argv)
    found = _history(given) if given.k is not None else _table(given)
    print(json.dumps(found, ensure_ascii=False, indent=2))
    return 0 if found["ok"] else 1


def _table(given: argparse.Namespace) -> dict:
    found = verify(
        given.public,
        manifest=given.manifest,
        original=given.original,
        link=given.link,
        sep=given.sep,
    )
    return {"ok": found.ok, **vars(found)}


def _history(given: argparse.Namespace) -> dict:
    public = read_lines(given.public)
    faults = unlike(public, given.k)
    if given.original and given.aligned:
        original, aligned = read_lines(given.original), read_lines(given.aligned)
        faults += misplaced(original, aligned) + mispaired(original, aligned)
        faults += published(aligned, public)
    return {"ok": not faults, "broken": faults}


if __name__ == "__main__":
    sys.exit(main())

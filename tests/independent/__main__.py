"""`python -m independent public.csv [--original F] [--link L] [--sep ,]`: JSON, exit code 1 if not.

Of a history: `python -m independent public.csv --k 5 [--original T.csv --aligned A.csv]`, with
`--customer ID` for files with a header; the original then has the columns of the release.
"""

from __future__ import annotations

import argparse
import json
import sys

from independent.histories import (
    mispaired,
    misplaced,
    published,
    read_lines,
    read_table,
    unlike,
)
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
    asked.add_argument("--customer", help="the history has a header, in which this is the customer")
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
    if given.customer:
        return _headed(given)
    public = read_lines(given.public)
    faults = unlike(public, given.k)
    if given.original and given.aligned:
        original, aligned = read_lines(given.original), read_lines(given.aligned)
        faults += misplaced(original, aligned) + mispaired(original, aligned)
        faults += published(aligned, public)
    return {"ok": not faults, "broken": faults}


def _headed(given: argparse.Namespace) -> dict:
    names, public = read_table(given.public, given.customer)
    faults = unlike(public, given.k)
    if given.original and given.aligned:
        had, everything = read_table(given.original, given.customer)
        places = [had.index(name) for name in names]
        original = [tuple(line[place] for place in places) for line in everything]
        aligned = read_table(given.aligned, given.customer)[1]
        faults += misplaced(original, aligned, names) + mispaired(original, aligned)
        kept = [line for line in aligned if set(line) != {"*"}]
        if sorted(kept) != sorted(public):
            faults.append("the public rows are not those that were kept")
    return {"ok": not faults, "broken": faults}


if __name__ == "__main__":
    sys.exit(main())

"""All that can be said of a release from its files: its claims, its link, what passed unchanged.

found = verify("public.csv", original="people.csv", link="link.csv")
found.broken, found.changed, found.claims
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path

from independent.cells import Cells, read_cells, read_original
from independent.claims import broken
from independent.originals import (
    RELABELS,
    changed,
    few_persons,
    link_faults,
    lost,
    read_link,
    untouched,
)


@dataclass
class Found:
    """What is wrong, in words, and how many claims were looked at."""

    claims: int = 0
    broken: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    link: list[str] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        return not (self.broken or self.changed or self.link)


def verify(
    public: str | Path,
    *,
    manifest: str | Path | None = None,
    original: str | Path | Cells | None = None,
    link: str | Path | None = None,
    sep: str = ",",
) -> Found:
    """Recompute what a manifest claims of a file; beside its original, what must be unchanged."""
    said = json.loads(Path(manifest or f"{public}.manifest.json").read_text(encoding="utf-8"))
    cells = read_cells(public, sep)
    found = Found(len(said["claims"]))
    if len(cells.rows) != said["rows"]:
        found.broken.append(f"{len(cells.rows)} rows, {said['rows']} claimed")
    if cells.names != list(said["columns"]):
        found.broken.append(f"the columns are {cells.names}, claimed {list(said['columns'])}")
    for claim in said["claims"]:
        found.broken += broken(cells, claim)
    if original is not None:
        source = original if isinstance(original, Cells) else read_original(original, sep)
        _beside(found, said, source, cells, link)
    return found


def _beside(found: Found, said: dict, source: Cells, cells: Cells, link: str | Path | None) -> None:
    names = [name for name in untouched(said) if name in source.names]
    methods = {step["method"] for step in said["provenance"]["steps"]}
    if link is None:
        found.changed += lost(source, cells, names)
        return
    rows = read_link(link)
    found.link += link_faults(rows, cells, source)
    if found.link:
        return
    if methods & RELABELS:
        found.changed += lost(source, cells, names)
        return
    found.changed += changed(source, cells, names, rows)
    for claim in said["claims"]:
        if claim["rule"] == "k-per-person":
            found.broken += few_persons(source, cells, rows, claim["params"])

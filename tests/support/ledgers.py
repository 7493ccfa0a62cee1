"""Small ledgers, made without files of cells, and what may be said of them, computed slowly."""

from collections import Counter
from itertools import chain
from math import prod

import numpy as np
import polars as pl

from tokumei.ledger.contribution import CandidateClasses, Contribution
from tokumei.ledger.ledger import Ledger
from tokumei.ledger.release_draft import ReleaseDetails


def contribution(people, *, cells=None, k_known=None):
    """From lines (id, class, value, classes that fit), in the order of the released rows."""
    ids, classes, values, fits = zip(*people, strict=True)
    patterns = [sorted(one) for one in fits]
    start = np.concatenate([[0], np.cumsum([len(one) for one in patterns])]).astype(np.int64)
    counted = Counter(zip(classes, values, strict=True))
    counts = pl.DataFrame(
        [(c, v, n) for (c, v), n in counted.items()],
        schema={"class": pl.Int64, "value": pl.String, "rows": pl.Int64},
        orient="row",
    )
    released = {"value": pl.Series(values, dtype=pl.String), **(cells or {})}
    return Contribution(
        kind="tables",
        ids=pl.Series("id", ids, dtype=pl.String),
        classes=np.array(classes),
        rows=np.arange(len(ids)),
        released_rows=len(ids),
        known=k_known or len(ids),
        cells=released,
        sensitive=("value",),
        own={"value": pl.Series(values, dtype=pl.String)},
        counts={"value": counts},
        fits=CandidateClasses(np.arange(len(ids)), start, np.array([*chain(*patterns)], np.int64)),
    )


def new_ledger(folder):
    """An empty one, with its key beside it."""
    return Ledger.create(folder / "ledger", folder / "ledger.key")


def record(book, given, recipient="A", *, sha256=None, **said):
    """Add a release whose file is not there."""
    with book.writing():
        draft = book.draft(
            given, ReleaseDetails(recipient, **said), public=book.path.parent / "y.csv"
        )
        entry = book.begin(draft, sha256=sha256 or f"{draft.entry.number:064d}")
        book.finish(entry.number)
    return entry


def in_all(releases):
    """The people who are in every release, by id: their lines, one for each release."""
    lines = [{line[0]: line for line in one} for one in releases]
    common = set.intersection(*(set(one) for one in lines))
    return {who: [one[who] for one in lines] for who in sorted(common)}


def slow_linked(releases, k):
    """Joint k, shares below and unique, and certain, person by person."""
    people = in_all(releases)
    alike = {
        who: [o for o, other in people.items() if [x[1] for x in other] == [x[1] for x in own]]
        for who, own in people.items()
    }
    sizes = [len(one) for one in alike.values()]
    certain = [len({people[o][-1][2] for o in one}) == 1 for one in alike.values()]
    n = len(people)
    if not n:
        return None
    below, alone = (sum(s < limit for s in sizes) / n for limit in (k, 2))
    return min(sizes), below, alone, sum(certain) / n


def slow_unlinked(releases):
    """Shares certain, probable and changed by public files alone, person by person."""
    people = in_all(releases)
    everything = [line[2] for one in releases for line in one]
    share = {v: everything.count(v) / len(everything) for v in everything}
    found = Counter()
    for own in people.values():
        seen = [
            Counter(line[2] for line in one if line[1] in own[i][3])
            for i, one in enumerate(releases)
        ]
        common = set.intersection(*(set(one) for one in seen))
        weight = {v: prod(one[v] for one in seen) / share[v] ** (len(seen) - 1) for v in common}
        best = max(weight.values(), default=0) / (sum(weight.values()) or 1)
        found["certain"] += len(common) == 1
        found["probable"] += best >= 0.9 - 1e-9
        found["changed"] += not common
    return {key: found[key] / len(people) for key in ("certain", "probable", "changed")}

"""People for audits: normals, and a table with categories; each with a slow reference."""

import numpy as np
import polars as pl

from tokumei.core.randomness import Randomness
from tokumei.tables.audit.audit_case import AuditCase, DrawnTargets


def normals(rng, n, columns=6):
    return pl.DataFrame(rng.normal(size=(n, columns)), schema=[f"x{j}" for j in range(columns)])


def mixed(rng, n):
    return pl.DataFrame(
        {
            "age": rng.integers(18, 80, n),
            "town": rng.choice(list("abcdef"), n, p=[0.4, 0.2, 0.15, 0.1, 0.1, 0.05]),
            "work": rng.choice(["x", "y", "z"], n),
            "ill": rng.choice(["flu", "none", "cold", "gout"], n),
        }
    )


def case_of(release, members, control, reference, known=None, hierarchies=None, sa=()):
    known = tuple(known or release.columns)
    qi = tuple(name for name in known if name not in sa)
    return AuditCase(release, members, control, reference, qi, tuple(sa), known, hierarchies or {})


def seen_of(case, model="together", seed=0, known=None):
    """What an attacker sees, and who is a member."""
    drawn = DrawnTargets.of(case, 10_000, rng=Randomness(seed))
    return case.seen(list(known or case.known), drawn, model), drawn.member


def distance(a, b, numeric, scale):
    """The distance of two rows, cell by cell."""
    total = 0.0
    for name in a:
        if name in numeric:
            total += ((a[name] - b[name]) / scale[name]) ** 2
        else:
            total += a[name] != b[name]
    return np.sqrt(total)


def scales(release, reference, numeric):
    both = pl.concat([release, reference]) if reference is not None else release
    return {name: float(both[name].cast(pl.Float64).to_numpy().std()) for name in numeric}

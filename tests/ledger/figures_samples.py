"""What the tests split from test_figures share."""

from tests.support.ledgers import contribution

from ledger.figures_helpers import CODES
from tokumei.ledger.entry import LedgerEntry
from tokumei.ledger.joint_risk import compute_joint_risk
from tokumei.ledger.recorded_classes import encode_contribution


def drawn_release(rng, everyone):
    """A random release of some of at most 12 people; truths always fit their own classes."""
    who = rng.permutation(everyone)[: rng.integers(1, len(everyone) + 1)]
    classes = int(rng.integers(1, 5))
    lines = []
    for person in who:
        own = int(rng.integers(classes))
        fits = {own, *(c for c in range(classes) if rng.random() < 0.3)}
        value = f"v{(person if rng.random() < 0.8 else rng.integers(12)) % 3}"
        lines.append((f"p{person}", own, value, fits))
    return lines


def checked(releases, k=3):
    parts = [encode_contribution(contribution(one), CODES) for one in releases]
    entries = [
        LedgerEntry(
            number=i,
            name=f"r{i}",
            kind="tables",
            recipient=f"R{i}",
            made="",
            public="",
            sha256=str(i),
            rows=len(one),
            people=len(one),
            known=len(one),
            k=k,
            cells=("value",),
            sensitive=("value",),
        )
        for i, one in enumerate(releases)
    ]
    return compute_joint_risk(entries, parts, most=3)

"""The page's seven calibration tests at their full size, each figure beside what it must be.

    python -m bench.audit_calibration [--draws 400] [--seed 11]

1 strangers · 2 copies · 3 noisy copies · 4 units, codes, names, order · 5 labels · 6 columns that
say nothing new · 7 guesses about strangers. Tests 2 and 3 are means of ten draws.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import get_args

import numpy as np
import polars as pl

from bench.audit_page import NINE, audited
from bench.audit_releases import SA, adult, folder, synthetic
from tokumei.core.randomness import Randomness
from tokumei.tables.audit.attack_statistics import Interval, MembershipFigures, auc_interval
from tokumei.tables.audit.attacker_view import AttackerModel
from tokumei.tables.audit.attacks.membership_attack import membership_attacks
from tokumei.tables.audit.audit import limit_blas_threads
from tokumei.tables.audit.audit_case import AuditCase, DrawnTargets
from tokumei.tables.audit.distance_spaces import build_spaces

NAMES = tuple(f"x{j}" for j in range(6))
PEOPLE, DRAWS = 200, 10
Frames = list[pl.DataFrame]
Scores = dict[str, tuple[np.ndarray, np.ndarray]]
"""Of members and of controls, by attack."""


@dataclass(frozen=True)
class Line:
    """A figure and the ends between which it must be."""

    test: int
    what: str
    found: float
    least: float
    most: float

    def __str__(self) -> str:
        verdict = "passed" if self.least <= self.found <= self.most else "MISSED"
        ends = f"{self.least:g} … {self.most:g}"
        return f"{self.test} {self.what:58s} {self.found:9.4f}  {ends:18s} {verdict}"


def strangers(draws: int, rng: np.random.Generator) -> Iterator[Line]:
    """Six normals, 200 people each: release, members, control and reference are independent."""
    for model in get_args(AttackerModel):
        found: dict[str, list[Interval]] = {}
        for _ in range(draws):
            for name, sides in scores([_normals(rng) for _ in range(4)], model).items():
                found.setdefault(name, []).append(auc_interval(*sides))
        for name, drawn in found.items():
            mean = float(np.mean([one.value for one in drawn]))
            held = float(np.mean([one.low <= 0.5 <= one.high for one in drawn]))
            yield Line(1, f"strangers, {model}, {name}: mean AUC", mean, 0.495, 0.505)
            # Where no two people and rows are equal, attacks by equal cells say nothing at all.
            silent = all(one.value == 0.5 for one in drawn)
            most = 1.0 if silent else 0.97
            yield Line(1, f"strangers, {model}, {name}: intervals with .5", held, 0.93, most)


def fresh_adult() -> Iterator[Line]:
    """Adult: half of the reference is released, the other half is the reference."""
    members, control, others = adult()
    frames = [others[:5081], members, control, others[5081:]]
    for name, sides in scores(frames, "together").items():
        found = auc_interval(*sides).value
        yield Line(1, f"Adult, 5,081 fresh rows, {name}: AUC", found, 0.49, 0.51)


def copies(rng: np.random.Generator) -> Iterator[Line]:
    """The members themselves, and with a third of a standard deviation of noise."""
    both: dict[str, list[MembershipFigures]] = {}
    for _ in range(DRAWS):
        members, control, reference = (_normals(rng) for _ in range(3))
        noisy = members.select(pl.col(x) + pl.Series(rng.normal(0, 0.3, PEOPLE)) for x in NAMES)
        for name, sides in scores([members, members, control, reference], "together").items():
            both.setdefault(f"copies, {name}", []).append(MembershipFigures.of(*sides))
        made = scores([noisy, members, control, reference], "together", ["explain", "dcr"])
        for name, sides in made.items():
            both.setdefault(f"noisy copies, {name}", []).append(MembershipFigures.of(*sides))
    for name in ("dcr", "explain", "copy", "box", "covered"):
        area = float(np.mean([one.auc.value for one in both[f"copies, {name}"]]))
        yield Line(2, f"copies, {name}: AUC", area, 0.999, 1)
    for name, wanted in (("explain", (0.95, 0.60, 0.88)), ("dcr", (0.0, 0.0, 0.0))):
        drawn = both[f"noisy copies, {name}"]
        three = [(one.auc.value, one.tpr[0.01].value, one.tpr[0.1].value) for one in drawn]
        for place, what in enumerate(("AUC", "TPR@1 %", "TPR@10 %")):
            found = float(np.mean([one[place] for one in three]))
            yield Line(3, f"noise of .3 sd, {name}: {what}", found, wanted[place], 1)


CHANGES: dict[str, tuple[int, Callable[[pl.DataFrame], pl.DataFrame]]] = {
    "rows turned": (4, lambda frame: frame.reverse()),
    "columns renamed": (4, lambda frame: frame.rename({name: f"{name}!" for name in NINE})),
    "age × 1,000": (4, lambda frame: frame.with_columns(pl.col("age") * 1000)),
    "categories recoded": (
        4,
        lambda frame: frame.with_columns(pl.col(pl.String).str.reverse().name.keep()),
    ),
    "a constant column": (6, lambda frame: frame.with_columns(pl.lit("same").alias("constant"))),
}


def unchanged() -> Iterator[Line]:
    """Adult, 2,000 of each: the largest change of an AUC by what must change none."""
    release = synthetic("10 % redrawn, age ± 3")
    frames = [one[:2000].select(NINE) for one in (release, *adult())]
    before = _areas(scores(frames, "together"))
    for name, (test, change) in CHANGES.items():
        after = _areas(scores([change(one) for one in frames], "together"))
        gap = max(abs(after[one] - before[one]) for one in before if one != "classifier")
        yield Line(test, f"{name}: largest change of an AUC", gap, 0, 1e-6)
        gap = abs(after["classifier"] - before["classifier"])
        yield Line(test, f"{name}: change of the classifier's, which draws", gap, 0, 0.02)
    released, members, control, reference = frames
    turned = _areas(scores([released, control, members, reference], "together"))
    gap = max(abs(turned[one] + before[one] - 1) for one in before)
    yield Line(5, "members and control exchanged: AUC + AUC − 1", gap, 0, 1e-9)


def guesses() -> Iterator[Line]:
    """Adult: guesses of occupation by a release of strangers; 0 lies in the interval."""
    found = audited(synthetic("fresh rows"), NINE, ["attribute"]).attributes[SA]
    for name, one in found.attacks.items():
        yield Line(7, f"fresh rows, {name}: risk", one.risk.value, *_around(one.risk))


def _around(risk: Interval) -> tuple[float, float]:
    """Where a figure must lie so that 0 is in its interval."""
    return risk.value - risk.high, risk.value - risk.low


def scores(frames: Frames, model: AttackerModel, attacks: list[str] | None = None) -> Scores:
    """The scores of attacks on a release, by members, control and reference."""
    names = tuple(frames[0].columns)
    case = AuditCase(frames[0], frames[1], frames[2], frames[3], names, (), names)
    drawn = DrawnTargets.of(case, 10_000, rng=Randomness(1))
    seen = case.seen(names, drawn, model)
    spaces, found = build_spaces(seen), Scores()
    for one in attacks or membership_attacks.names():
        for name, made in membership_attacks.build(one).variants(seen, spaces).items():
            found[name] = made[drawn.member], made[~drawn.member]
    return found


def _areas(found: Scores) -> dict[str, float]:
    return {name: auc_interval(*sides).value for name, sides in found.items()}


def _normals(rng: np.random.Generator) -> pl.DataFrame:
    return pl.DataFrame(rng.normal(size=(PEOPLE, 6)), schema=NAMES)


def show(draws: int = 400, seed: int = 11) -> None:
    """Print all lines; those of Adult where it is there."""
    rng = np.random.default_rng(seed)
    parts = [strangers(draws, rng), copies(rng)]
    if (folder() / "adult").exists():
        parts = [fresh_adult(), unchanged(), guesses(), *parts]
    with limit_blas_threads():
        for part in parts:
            for line in part:
                print(line, flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--draws", type=int, default=400)
    parser.add_argument("--seed", type=int, default=11)
    asked = parser.parse_args()
    show(asked.draws, asked.seed)

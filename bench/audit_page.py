"""Every row of the page's tables on inference, beside what the audit finds today.

    python -m bench.audit_page [membership|boxes|attributes|singling|examples]

reached: as high as the page. near: below, but the page's figure lies in our 95 % interval (or the
two intervals overlap), so that another draw may be all that differs. missed: below that.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from bench import audit_tables as page
from bench.audit_releases import QI, SA, adult, folder, generalized, hierarchies, synthetic
from tokumei.core.attack_rates import wilson
from tokumei.core.randomness import Randomness
from tokumei.tables.audit.attack_statistics import Interval, MembershipFigures
from tokumei.tables.audit.attacker_view import AttackerModel
from tokumei.tables.audit.attacks.membership_attack import membership_attacks
from tokumei.tables.audit.audit import Audit, audit
from tokumei.tables.audit.audit_case import AuditCase, DrawnTargets
from tokumei.tables.audit.inputs import AuditKind

NINE = (*QI, SA)
Four = tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame, pl.DataFrame]


@dataclass(frozen=True)
class Line:
    """One figure of the page and ours."""

    table: str
    row: str
    what: str
    page: float
    ours: Interval
    half: float = 0.0
    """Half the page's own interval, where it drew what we count, or another release."""

    @property
    def verdict(self) -> str:
        """Whether it is reached, to three digits."""
        if round(self.ours.value, 3) >= self.page:
            return "reached"
        inside = self.ours.low - self.half <= self.page <= self.ours.high + self.half
        return "near" if inside else "missed"

    def __str__(self) -> str:
        name = f"{self.table} | {self.row} | {self.what}"
        return f"{name:86s} {self.page:7.3f} {self.ours.value:7.3f}  {self.verdict}"


def examples() -> Iterator[Line]:
    """Synth-MIA's two examples: housing as it is, insurance as the mean of ten draws."""
    for (data, attack, model), wanted in page.EXAMPLES.items():
        draws = [_attacked(attack, *parts, model=model) for parts in _example(data, attack)]
        for place, name in enumerate(("AUC", "TPR@1 %", "TPR@10 %")):
            ours = [_of(one, place) for one in draws]
            ends = (float(np.mean([getattr(one, end) for one in ours])) for end in vars(ours[0]))
            yield Line("examples", data, f"{attack} {model} {name}", wanted[place], Interval(*ends))


def _example(data: str, attack: str) -> list[Four]:
    home = folder() / "synth_mia" / data
    if data == "housing":
        names = ("synth", "mem", "non_mem", "ref")
        one, two, three, four = (pl.read_csv(home / f"{name}.csv") for name in names)
        return [(one, two, three, four)]
    files = ("bayesian_network_synth_250", "train_set", "holdout_set")
    release, members, others = (pl.read_csv(home / f"{name}.csv") for name in files)
    if attack == "explain":  # The page took the distinct rows of the control here.
        others = others.unique(maintain_order=True)
    orders = [np.random.default_rng(seed).permutation(others.height) for seed in range(10)]
    return [(release, members, others[one[:250]], others[one[250:500]]) for one in orders]


def _attacked(
    attack: str,
    release: pl.DataFrame,
    members: pl.DataFrame,
    control: pl.DataFrame,
    reference: pl.DataFrame,
    *,
    model: AttackerModel,
) -> MembershipFigures:
    if attack == "stack":
        found = audit(
            release,
            members=members,
            control=control,
            reference=reference,
            kinds=["membership"],
            model=model,
            seed=1,
        ).membership
        assert found is not None
        assert found.stack is not None
        return found.stack
    names = tuple(release.columns)
    case = AuditCase(release, members, control, reference, names, (), names)
    drawn = DrawnTargets.of(case, 10_000, rng=Randomness(0))
    scores = membership_attacks.build(attack).scores(case.seen(names, drawn, model))
    return MembershipFigures.of(scores[drawn.member], scores[~drawn.member])


def _of(found: MembershipFigures, place: int) -> Interval:
    return (found.auc, found.tpr[0.01], found.tpr[0.1])[place]


def membership() -> Iterator[Line]:
    """Adult, releases of exact values, everything known."""
    for release, groups in page.EXACT.items():
        found = audited(synthetic(release), NINE, ["membership"]).membership
        assert found is not None
        for group, wanted in groups.items():
            if group == "stack":
                assert found.stack is not None
                made = [found.stack]
            else:
                made = [found.attacks[one].figures for one in page.GROUPS[group]]
            yield from _three("membership", release, group, wanted, made)


def boxes() -> Iterator[Line]:
    """Adult, our own releases: who is in it by the cells."""
    for key, (without, with_sa, covered) in page.BOXES.items():
        release = generalized(*key)
        for known, wanted in ((QI, without), (NINE, with_sa)):
            found = audited(release, known, ["membership"]).membership
            assert found is not None
            made = [found.attacks[one].figures for one in ("box", "box-max")]
            what = "QI" if known == QI else "QI and SA"
            yield from _three("boxes", _told(key), what, wanted, made)
            if known == QI:
                ours = found.attacks["covered"].figures.auc
                yield Line("boxes", _told(key), "covered AUC", covered, ours)
    key, wanted = page.ALONE
    found = audited(generalized(*key), QI, ["membership"], model="alone").membership
    assert found is not None
    made = [found.attacks[one].figures for one in ("box", "box-max")]
    yield from _three("boxes", _told(key), "alone, QI", wanted, made)


def attributes() -> Iterator[Line]:
    """Adult, the occupation by the quasi-identifiers."""
    for key, boxed in page.GUESSED_BOXES.items():
        yield from _guessed(_told(key), generalized(*key), boxed)
    for name, wanted in page.GUESSED.items():
        yield from _guessed(name, synthetic(name), wanted)


def _guessed(
    row: str, release: pl.DataFrame, wanted: tuple[float, float | None, float | None, float | None]
) -> Iterator[Line]:
    found = audited(release, NINE, ["attribute"]).attributes[SA]
    best, n = found.best, adult()[0].height
    what = f"{found.strongest} {best.members:.3f} / {best.control:.3f}"
    yield Line("attributes", row, f"risk: {what}", wanted[0], best.risk)
    if row in page.NEAREST:
        ours = found.attacks["nearest-1"].risk
        yield Line("attributes", row, "risk: nearest-1", page.NEAREST[row], ours)
    for name, figure, count, of in (
        ("certain members", wanted[1], best.certain, n),
        ("certain right", wanted[2], (best.certain_right or 0) * best.certain, best.certain),
        ("posterior ≥ .9", wanted[3], max(o.probable for o in found.attacks.values()), n),
    ):
        if figure is not None:
            low, high = wilson(count, of)
            value = count / of if of else 0.0
            half = page.TREE_DRAWN if (row, name) == ("Chow–Liu tree", "certain members") else 0.0
            yield Line("attributes", row, name, figure, Interval(value, low, high), half)


def singling() -> Iterator[Line]:
    """Adult, descriptions that are true of exactly one."""
    for name, (risk, predicates) in page.SINGLED.items():
        four = _singled(synthetic(name))[4]
        yield Line("singling out", name, f"4 columns, {predicates:,} → {four[1]:,}", risk, four[0])
    for key, (few, risk, count) in page.SINGLED_BOXES.items():
        found = _singled(generalized(*key))
        yield Line("singling out", _told(key), "4 columns", few, found[4][0], page.DRAWN)
        what = f"9 columns, {count:,} → {found[9][1]:,}"
        yield Line("singling out", _told(key), what, risk, found[9][0])


def _singled(release: pl.DataFrame) -> dict[int, tuple[Interval, int]]:
    found = audited(release, NINE, ["singling-out"]).singling_out
    none = Interval(0.0, 0.0, 0.0)
    return {one.columns: (one.risk or none, one.predicates) for one in found}


def audited(
    release: pl.DataFrame,
    known: Sequence[str],
    kinds: Sequence[AuditKind],
    model: AttackerModel = "together",
) -> Audit:
    members, control, reference = adult()
    return audit(
        release,
        members=members,
        control=control,
        reference=reference,
        qi=list(QI),
        sa=[SA],
        known=list(known),
        hierarchies=hierarchies(),
        kinds=kinds,
        model=model,
        seed=1,
    )


def _three(
    table: str, row: str, what: str, wanted: Sequence[float], made: Sequence[MembershipFigures]
) -> Iterator[Line]:
    """AUC and rates, each the best of a group of attacks."""
    for place, figure in enumerate(wanted):
        ours = max((_of(one, place) for one in made), key=lambda one: one.value)
        yield Line(table, row, f"{what} {('AUC', 'TPR@1 %', 'TPR@10 %')[place]}", figure, ours)


def _told(key: tuple[str, int, str]) -> str:
    method, k, rule = key
    return f"{method} k = {k}" + (f", {rule}" if rule else "")


TABLES: dict[str, Callable[[], Iterator[Line]]] = {
    "examples": examples,
    "membership": membership,
    "boxes": boxes,
    "attributes": attributes,
    "singling": singling,
}


def main(names: Sequence[str]) -> None:
    """Print the tables, and how many figures are reached."""
    verdicts: Counter[str] = Counter()
    print(f"{'':86s} {'page':>7s} {'ours':>7s}")
    for name in names or TABLES:
        started = time.process_time()
        for line in TABLES[name]():
            print(line, flush=True)
            verdicts[line.verdict] += 1
        print(f"-- {name}: {time.process_time() - started:.0f} CPU s", flush=True)
    print(", ".join(f"{count} {verdict}" for verdict, count in verdicts.items()))


if __name__ == "__main__":
    main(sys.argv[1:])

"""Every membership attack against a slow reference, pair by pair."""

import math

import numpy as np
import polars as pl
import pytest

from tables.audit.attacks_fixtures import made
from tables.audit.attacks_fixtures import scene as scene
from tables.audit.people import case_of, scales, seen_of
from tokumei.tables.audit.attacks.membership_attack import membership_attacks

EPS = 1e-3


def test_dcr(scene):
    assert made("dcr", scene) == pytest.approx(-scene["ty"].min(axis=1))


def test_equally_near_people_come_in_the_order_of_their_rarity(scene):
    """`dcr-rare`: by the distances to the ten nearest rows, equal rows counted once."""
    once = [next(i for i, row in enumerate(scene["shown"]) if row == one) for one in scene["shown"]]
    far = np.sort(scene["ty"][:, sorted(set(once))], axis=1)
    slow = -far[:, 0] + 1e-6 * far[:, :10].mean(axis=1)
    assert made("dcr-rare", scene) == pytest.approx(slow, abs=1e-9)


def test_local(scene):
    far = np.sort(scene["ty"], axis=1)
    slow = np.log(far[:, 1:4].mean(axis=1) + EPS) - np.log(far[:, 0] + EPS)
    assert made("local", scene) == pytest.approx(slow, abs=1e-7)


@pytest.mark.parametrize(("name", "most"), [("ratio", 1), ("ratio-3", 3)])
def test_ratio(scene, name, most):
    near = [np.sort(scene[pair], axis=1)[:, :most].mean(axis=1) for pair in ("tr", "ty")]
    slow = np.log(near[0] + EPS) - np.log(near[1] + EPS)
    assert made(name, scene) == pytest.approx(slow, abs=1e-7)


def test_density(scene):
    width = 0.1 * np.median(scene["tr"].min(axis=1))
    parts = []
    for pair in ("ty", "tr"):
        logs = -((scene[pair] / width) ** 2) / 2
        parts.append(np.logaddexp.reduce(logs, axis=1) - np.log(logs.shape[1]))
    assert made("density", scene) == pytest.approx(parts[0] - parts[1], abs=1e-6)


def slow_explain(scene, model):
    """Row by row: who is nearer than the nearest other person, among the ten nearest."""
    best = np.full(scene["targets"], -np.inf)
    for y in range(len(scene["shown"])):
        if model == "together":
            far = scene["yp"][y]
            kinds = sorted({(far[p], *scene["rows"][p].values()) for p in range(len(far))})[:10]
            reach = kinds[-1][0]
        else:
            kinds = sorted(
                {
                    (far, *row.values())
                    for far, row in zip(
                        scene["yr"][y], scene["rows"][scene["targets"] :], strict=True
                    )
                }
            )[:10]
            reach = kinds[-1][0] * (1 + 1e-9)
        for x in range(scene["targets"]):
            own = scene["yp"][y][x]
            if own > reach:
                continue
            rivals = np.delete(scene["yp"][y], x) if model == "together" else scene["yr"][y]
            best[x] = max(best[x], math.log(rivals.min() + EPS) - math.log(own + EPS))
    return best


@pytest.mark.parametrize("model", ["together", "alone"])
def test_explain(scene, model):
    slow, fast = slow_explain(scene, model), made("explain", scene, model)
    told = np.isfinite(slow)
    # Ties at the tenth place may add a pair more; they never score higher than the nearest.
    assert fast[told] == pytest.approx(slow[told], abs=1e-4)
    assert (fast[~told] < slow[told].min() + 1e-4).all()


def slow_copy(scene, eps=0.2, h=0.3):
    """Every released row shared among all people."""
    release = scene["case"].release
    scale = scales(release, scene["case"].reference, ["age"])["age"]
    share = {
        name: dict(release[name].value_counts(normalize=True).iter_rows())
        for name in ("town", "work", "ill")
    }
    total = np.zeros(len(scene["rows"]))
    for y in scene["shown"]:
        logs = []
        for p in scene["rows"]:
            log = -(((y["age"] - p["age"]) / scale) ** 2) / (2 * h * h)
            for name, often in share.items():
                if y[name] == p[name]:
                    log += math.log(1 + (1 - eps) / (eps * often[y[name]]))
            logs.append(log)
        chance = np.exp(np.array(logs) - max(logs))
        total += chance / chance.sum()
    return total[: scene["targets"]]


def test_copy(scene):
    slow = np.log(np.maximum(slow_copy(scene), 1e-30))
    assert made("copy", scene) == pytest.approx(slow, abs=2e-3)


def boxed(scene):
    """The same people, ages and towns in cells of twenty years and two towns."""
    case = scene["case"]
    low = pl.col("age") // 20 * 20
    towns = pl.col("town").replace_strict(
        dict.fromkeys("ab", "{a;b}") | dict.fromkeys("cd", "{c;d}") | dict.fromkeys("ef", "*")
    )
    ages = pl.format("[{};{}]", low, low + 19)
    release = case.members.with_columns(ages.alias("age"), towns.alias("town"))
    return case_of(release, case.members, case.control, case.reference)


def fits(cells, person):
    low, high = cells["age"][1:-1].split(";")
    towns = cells["town"] == "*" or person["town"] in cells["town"]
    inside = int(low) <= person["age"] <= int(high)
    return inside and towns and all(cells[n] == person[n] for n in ("work", "ill"))


@pytest.mark.parametrize("model", ["together", "alone"])
@pytest.mark.parametrize("name", ["box", "box-max"])
def test_box(scene, name, model):
    case = boxed(scene)
    seen, _ = seen_of(case, model)
    rows, n = scene["rows"], scene["targets"]
    total = np.zeros(n)
    classes = case.release.group_by(case.release.columns).len().to_dicts()
    for cells in classes:
        inside = np.array([fits(cells, row) for row in rows])
        known = inside.sum() if model == "together" else inside[n:].sum() + 0.5
        part = inside[:n] * cells["len"] / max(known, 0.5)
        total = total + part if name == "box" else np.maximum(total, part)
    with np.errstate(divide="ignore"):
        slow = np.log(total)
    assert membership_attacks.build(name).scores(seen) == pytest.approx(slow)


def test_covered(scene):
    case = boxed(scene)
    seen, member = seen_of(case)
    slow = [any(fits(c, p) for c in case.release.to_dicts()) for p in scene["rows"]]
    found = membership_attacks.build("covered").scores(seen)
    assert found == pytest.approx(np.array(slow[: scene["targets"]], dtype=float))
    assert found[member].all()

"""Histories in a ledger: people who bought exactly alike are a class."""

import math

import numpy as np
import polars as pl
import pytest
from tests.support.ledgers import new_ledger, record

import tokumei as tk
from tokumei.core.errors import InputError
from tokumei.histories.data.history import History
from tokumei.histories.ledger_contribution import history_contribution
from tokumei.ledger.class_membership import ClassMembership
from tokumei.ledger.hash_chain import KeyedCodes
from tokumei.ledger.linkage_rates import profile_linkage_rate
from tokumei.ledger.recorded_classes import encode_contribution


def release(seed, k=3):
    history = tk.sample_history(600, customers=40, seed=1)
    return tk.anonymize(history, "rank-match", k=k, seed=seed)


def slow_classes(made):
    """Customers by the text of all their rows."""
    found = {}
    for pseudonym, customer in made.truth().rows():
        rows = made.public.filter(pl.col("customer") == pseudonym).drop("customer")
        found[customer] = "\n".join(sorted(map(str, rows.rows())))
    return found


def test_classes_are_identical_histories():
    made = release(1)
    given = history_contribution(made.public, made.truth(), known=40)
    slow = slow_classes(made)
    by_text = {}
    for customer, number in zip(given.ids, given.classes.tolist(), strict=True):
        assert by_text.setdefault(slow[customer], number) == number
    assert len(by_text) == len(set(given.classes.tolist()))


def test_pseudonyms_that_are_used_again_are_found(tmp_path):
    book = new_ledger(tmp_path)
    made = release(1)
    given = history_contribution(made.public, made.truth(), known=40)
    for name in "ab":
        record(book, given, name, k=3)
    found = {one.test: one.linked for one in book.check().linkage}
    assert found["unique-values"]
    other = release(2)
    record(book, history_contribution(other.public, other.truth(), known=40), "c", k=3)
    last = [one for one in book.check().linkage if "r3" in one.releases and one.test[0] == "u"]
    assert not any(one.linked for one in last)


def test_a_secret_file_that_does_not_fit_is_refused():
    made = release(1)
    with pytest.raises(InputError, match="does not fit"):
        history_contribution(made.public, made.truth().head(3), known=40)


def months(seed, method="rank-match", k=2):
    """Two halves of a history, each released by itself, with new pseudonyms."""
    history = tk.sample_history(500, customers=30, seed=seed).frame
    middle = history["day"].sort()[history.height // 2]
    parts = history.filter(pl.col("day") < middle), history.filter(pl.col("day") >= middle)
    kept = [History.of(one) for one in parts]
    return [tk.anonymize(one, method, k=k, seed=seed + i) for i, one in enumerate(kept)]


def slow_profiles(made):
    """For every pair of customers the sum of cosines, customer by customer."""
    sides = [{who: {} for who in slow_classes(one)} for one in made]
    for side, one in zip(sides, made, strict=True):
        owner = dict(one.truth().rows())
        for row in one.public.to_dicts():
            for name in ("item", "price", "quantity"):
                for value in str(row[name]).strip("{}").split(";"):
                    counts = side[owner[row["customer"]]].setdefault(name, {})
                    counts[value] = counts.get(value, 0) + 1
    return sides


def cosine(one, other, rare):
    vectors = [{v: math.log1p(n) * rare[v] for v, n in counts.items()} for counts in (one, other)]
    lengths = [math.sqrt(sum(x * x for x in v.values())) or 1.0 for v in vectors]
    return sum(x * vectors[1].get(v, 0) for v, x in vectors[0].items()) / math.prod(lengths)


@pytest.mark.parametrize("seed", range(3))
def test_profiles_link_as_a_slow_attacker_would(seed):
    made = months(seed)
    given = [history_contribution(one.public, one.truth(), known=30) for one in made]
    codes = KeyedCodes(b"k" * 32)
    all_ = ClassMembership.of([encode_contribution(one, codes) for one in given])
    people = np.flatnonzero(all_.present((0, 1)))
    sides, classes = slow_profiles(made), [slow_classes(one) for one in made]
    total = sum(len(set(one.values())) for one in classes)
    rare = {}
    for name in ("item", "price", "quantity"):
        for side, of in zip(sides, classes, strict=True):
            for kind in set(of.values()):
                who = next(w for w, text in of.items() if text == kind)
                for value in side[who].get(name, {}):
                    rare[name, value] = rare.get((name, value), 0) + 1
    weight = {key: math.sqrt(math.log(total / n)) for key, n in rare.items()}
    chances = []
    for who in sides[0].keys() & sides[1].keys():
        scores = {
            other: sum(
                cosine(
                    sides[0][who][name],
                    sides[1][other][name],
                    {v: weight[n, v] for n, v in weight if n == name},
                )
                for name in ("item", "price", "quantity")
            )
            for other in sides[1]
        }
        best = [other for other, x in scores.items() if x >= max(scores.values()) - 1e-9]
        chances.append((who in best) / len(best))
    found = profile_linkage_rate(all_, (0, 1), people)
    assert found == pytest.approx(np.mean(chances))


def test_what_people_buy_links_months(tmp_path):
    """Everybody keeps to an item of their own: new pseudonyms do not help."""
    book = new_ledger(tmp_path)
    for month in (1, 2):
        frame = pl.DataFrame(
            {
                "customer": [f"c{i}" for i in range(40) for _ in range(3)],
                "day": [f"2011/{month}/{d + 1}" for _ in range(40) for d in range(3)],
                "item": [f"i{i // 2}" for i in range(40) for _ in range(3)],
                "price": 1.0,
                "quantity": 1,
            }
        )
        made = tk.anonymize(History.of(frame), "aligned", k=2, seed=month)
        record(book, history_contribution(made.public, made.truth(), known=40), f"m{month}", k=2)
    found = {one.test: one for one in book.check().linkage}
    assert found["profile-attack"].value == pytest.approx(0.5)
    assert found["profile-attack"].linked
    assert not found["unique-values"].linked

"""Histories in a ledger: people who bought exactly alike are a class."""

import pytest
from tests.support.ledgers import new_ledger, record

import tokumei as tk
from ledger.histories_helpers import slow_classes
from tokumei.core.errors import InputError
from tokumei.histories.ledger_contribution import history_contribution


def release(seed, k=3):
    history = tk.sample_history(600, customers=40, seed=1)
    return tk.anonymize(history, "rank-match", k=k, seed=seed)


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

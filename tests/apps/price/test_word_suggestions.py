"""Tests of tokumei.apps.price.word_suggestions."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.price.price_suggestions_helpers import MAJOR
from tokumei.apps.price.price_list import PriceList
from tokumei.apps.price.word_similarity import character_similarity, likenesses
from tokumei.apps.price.word_suggestions import (
    apply_suggestions,
    find_missing_values,
    price_list_frame,
    propose_words,
    suggest,
    suggestion_trial,
)
from tokumei.core.errors import UsageError


@given(st.lists(st.tuples(st.floats(0, 1), st.sampled_from("xyz")), min_size=1, max_size=6))
def test_votes_against_a_plain_loop(alike: list[tuple[float, str]]) -> None:
    known = {f"v{at}": word for at, (_, word) in enumerate(alike)}
    row = np.array([[likeness for likeness, _ in alike]])
    (found,) = propose_words(["new"], known, {"given": lambda new, old: row})
    votes: Counter[str] = Counter()
    for likeness, word in alike:
        votes[word] += likeness**2  # type: ignore[assignment]
    best = max(votes.values())
    if found.word is None:
        assert best == 0
    else:
        assert votes[found.word] == pytest.approx(best)
        assert found.score == pytest.approx(best / (sum(votes.values()) + 0.05))
        assert known[str(found.nearest)] == found.word


def test_hidden_occupations_are_put_under_the_right_class() -> None:
    """A fifth of the 74 hidden; the bar is the most frequent class, 20 of 74."""
    characters = {"characters": character_similarity}
    found = suggestion_trial(MAJOR, characters, hidden=0.2, draws=8, seed=1)
    assert found.majority == pytest.approx(0.27, abs=0.05)
    assert found.right > 2 * found.majority
    rights = [point.right for point in found.curve]
    assert rights[0] > 0.9
    assert rights == sorted(rights, reverse=True)
    assert rights[-1] == found.right


def test_shuffled_classes_teach_nothing() -> None:
    """The control: with classes dealt at random suggestions stay at the bar or below."""
    order = np.random.default_rng(1).permutation(len(MAJOR))
    classes = [[*MAJOR.values()][place] for place in order]
    shuffled = dict(zip(MAJOR, classes, strict=True))
    found = suggestion_trial(
        shuffled, {"characters": character_similarity}, hidden=0.2, draws=8, seed=1
    )
    assert found.right < found.majority + 0.03


LIST = (
    "attribute,pattern,value,word,price\njob,original,nurse,nurse,5\njob,original,driver,driver,4\n"
    "job,kind,nurse,care,3\njob,kind,driver,road,2\n"
)


def test_nothing_is_applied_unasked(tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text(LIST)
    prices = PriceList.read(tmp_path / "p.csv")
    new = find_missing_values(pl.DataFrame({"job": ["nurses", "nurse", "zzz", "nurses"]}), prices)
    assert new == {"job": ["nurses", "zzz"]}
    found = suggest(prices, new, {"job": likenesses(["nurse", "driver"])})
    assert [(one.value, one.word) for one in found] == [("nurses", "care"), ("zzz", None)]
    assert "nurses" not in prices.patterns["job"]["kind"]
    more = apply_suggestions(prices, found)
    assert more.patterns["job"]["kind"]["nurses"] == "care"
    assert more.unpriced == [("job", "nurses")]
    price_list_frame(more).write_csv(tmp_path / "q.csv")
    again = PriceList.read(tmp_path / "q.csv")
    assert (again.patterns, again.prices) == (more.patterns, more.prices)


def test_nothing_to_hide() -> None:
    with pytest.raises(UsageError, match="nothing to hide"):
        suggestion_trial({"a": "x", "b": "y"}, {}, hidden=0.1)

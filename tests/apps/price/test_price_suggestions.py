"""Suggested words: against plain loops, on hidden occupations, and with nothing to go by."""

from __future__ import annotations

import math
from collections import Counter
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokumei.apps.price.price_list import PriceList
from tokumei.apps.price.word_similarity import (
    character_similarity,
    hierarchy_similarity,
    likenesses,
    number_similarity,
    read_word_vectors,
    vector_similarity,
)
from tokumei.apps.price.word_suggestions import (
    apply_suggestions,
    find_missing_values,
    price_list_frame,
    propose_words,
    suggest,
    suggestion_trial,
)
from tokumei.core.errors import InputError, UsageError
from tokumei.tables.hierarchies.builtin import builtin_hierarchy, load_occupations

MAJOR = {
    name: group["ja"] for group in load_occupations().values() for name in group["middle"].values()
}


def slow_likeness(new: str, known: list[str], other: str) -> float:
    """The cosine piece by piece."""

    def vector(word: str) -> dict[str, float]:
        found = {}
        for piece in {
            word[a:b] for a in range(len(word)) for b in range(a + 1, a + 4) if b <= len(word)
        }:
            among = sum(piece in one for one in known)
            times = sum(word[at:].startswith(piece) for at in range(len(word)))
            found[piece] = (
                (1 + math.log(times)) * math.log((1 + len(known)) / (1 + among)) if among else 0
            )
        return found

    first, second = vector(new), vector(other)
    lengths = [math.sqrt(sum(x * x for x in one.values())) for one in (first, second)]
    dot = sum(weight * second.get(piece, 0) for piece, weight in first.items())
    return dot / (lengths[0] * lengths[1]) if all(lengths) else 0.0


WORD = st.text("abc", min_size=1, max_size=5)


@given(WORD, st.lists(WORD, min_size=1, max_size=4, unique=True))
def test_characters_against_a_plain_loop(new: str, known: list[str]) -> None:
    found = character_similarity([new], known)[0]
    assert found == pytest.approx([slow_likeness(new, known, one) for one in known], abs=1e-9)


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


def test_other_likenesses(tmp_path: Path) -> None:
    assert number_similarity(["15", "99"], ["10", "20", "12"]).tolist() == [[0, 1, 1], [0, 0, 0]]
    assert not number_similarity(["15"], ["10", "many"]).any()
    regions = hierarchy_similarity(builtin_hierarchy("prefecture"))
    assert regions(["大阪", "どこか"], ["京都府", "東京都"]).tolist() == [[1, 0], [0, 0]]
    (tmp_path / "v.txt").write_text("3 2\nnurse 1 0\ndoctor 1 0.1\ndriver 0 1\n")
    near = vector_similarity(read_word_vectors(tmp_path / "v.txt"))(
        ["Ｄoctor", "x"], ["nurse", "driver"]
    )
    assert near[0, 0] > 0.99
    assert near[0, 1] < 0.2
    assert not near[1].any()
    (tmp_path / "v.txt").write_text("nurse 1 0\ndoctor 1\n")
    with pytest.raises(InputError, match="line 2"):
        read_word_vectors(tmp_path / "v.txt")
    assert list(likenesses([*MAJOR])) == ["hierarchy", "characters"]
    assert list(likenesses(["12", "13才"])) == ["numbers"]


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

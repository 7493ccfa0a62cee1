"""Tests of tokumei.apps.price.word_similarity."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.price.price_suggestions_helpers import MAJOR
from tokumei.apps.price.word_similarity import (
    character_similarity,
    hierarchy_similarity,
    likenesses,
    number_similarity,
    read_word_vectors,
    vector_similarity,
)
from tokumei.core.errors import InputError
from tokumei.tables.hierarchies.builtin import builtin_hierarchy


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

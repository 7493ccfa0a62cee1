"""Similarity of words by characters, hierarchy, numbers or the user's vectors.

    character_similarity(["看護助手"], ["看護師", "運転手"])     # a row per new word

Every function gives a matrix from 0 (nothing in common) to 1, new words × known words. Nothing is
looked up in a network, and nothing is learned but what the known words show.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from tokumei.core.messages import Message
from tokumei.files.file_formats import AnyPath, FileFormat, input_error, load_bytes
from tokumei.tables.hierarchies.builtin import builtin_hierarchy
from tokumei.tables.hierarchies.hierarchy import Hierarchy

GRAM_LENGTHS = (1, 2, 3)
"""Lengths of the pieces of words that are compared."""
Similarity = Callable[[Sequence[str], Sequence[str]], np.ndarray]
WordVectors = Mapping[str, np.ndarray]


def normalize_word(word: str) -> str:
    """A word without differences of width and case."""
    return unicodedata.normalize("NFKC", word).casefold().strip()


def character_similarity(new: Sequence[str], known: Sequence[str]) -> np.ndarray:
    """Cosine of the pieces that words consist of; rare pieces weigh more."""
    known_grams = [_count_grams(word) for word in known]
    gram_counts = Counter(gram for word_grams in known_grams for gram in word_grams)
    column_by_gram = {gram: index for index, gram in enumerate(gram_counts)}
    weight = np.log((1 + len(known)) / (1 + np.array([*gram_counts.values()], dtype=np.float64)))
    return _cosine(
        _gram_matrix(new, column_by_gram) * weight, _gram_matrix(known, column_by_gram) * weight
    )


def number_similarity(new: Sequence[str], known: Sequence[str]) -> np.ndarray:
    """1 for the next known number below and above; nothing beyond the ends, or if not all are."""
    similarity = np.zeros((len(new), len(known)))
    numbers = [_parse_number(word) for word in known]
    if any(number is None for number in numbers):
        return similarity
    for row, word in enumerate(new):
        number = _parse_number(word)
        below = [
            (known_number, index)
            for index, known_number in enumerate(numbers)
            if known_number is not None and _is_below(known_number, number)
        ]
        above = [
            (known_number, index)
            for index, known_number in enumerate(numbers)
            if known_number is not None and _is_below(number, known_number)
        ]
        if below and above:
            similarity[row, [max(below)[1], min(above)[1]]] = 1.0
    return similarity


def hierarchy_similarity(hierarchy: Hierarchy) -> Similarity:
    """1 for words under one node of the first level, a half of the second, and so on."""
    leaves = _leaf_by_name(hierarchy)

    def likeness(new: Sequence[str], known: Sequence[str]) -> np.ndarray:
        similarity = np.zeros((len(new), len(known)))
        for level in range(hierarchy.height - 1, 0, -1):
            node = hierarchy.up[level]
            first, second = _word_nodes(new, leaves, node), _word_nodes(known, leaves, node)
            is_same_node = (first[:, None] == second[None, :]) & (first[:, None] >= 0)
            similarity[is_same_node] = 1 / level
        return similarity

    return likeness


def likenesses(
    known: Sequence[str], *, hierarchy: Hierarchy | None = None, vectors: WordVectors | None = None
) -> dict[str, Similarity]:
    """What can tell words like the known ones apart, the most trusted first.

    Without a hierarchy, the built-in one of occupations or prefectures is used if it has at least
    half of the known words. Numbers are compared as numbers only.
    """
    similarities: dict[str, Similarity] = {}
    if (chosen_tree := hierarchy or _matching_builtin(known)) is not None:
        similarities["hierarchy"] = hierarchy_similarity(chosen_tree)
    if vectors:
        similarities["embeddings"] = vector_similarity(vectors)
    if all(_parse_number(word) is not None for word in known):
        return {**similarities, "numbers": number_similarity}
    return {**similarities, "characters": character_similarity}


def _matching_builtin(known: Sequence[str]) -> Hierarchy | None:
    words = {normalize_word(word) for word in known}
    for name in ("occupation", "prefecture"):
        for labels in ("ja", "en"):
            tree = builtin_hierarchy(name, labels=labels)
            if 2 * len(words & {*_leaf_by_name(tree)}) >= len(words) > 0:
                return tree
    return None


def _leaf_by_name(hierarchy: Hierarchy) -> dict[str, int]:
    """The leaf of every name; prefectures also without their last character (東京, 大阪)."""
    names = {normalize_word(str(name)): leaf for leaf, name in enumerate(hierarchy.leaves)}
    short = {name[:-1]: leaf for name, leaf in names.items() if name[-1:] in {"都", "府", "県"}}
    return {**short, **names}


def vector_similarity(vectors: WordVectors) -> Similarity:
    """Cosine of the words' vectors, 0 below 0 and for words without one."""

    def likeness(new: Sequence[str], known: Sequence[str]) -> np.ndarray:
        similarity = _cosine(_stack_vectors(new, vectors), _stack_vectors(known, vectors))
        return np.asarray(np.maximum(similarity, 0.0))

    return likeness


def read_word_vectors(path: AnyPath) -> dict[str, np.ndarray]:
    """Words and vectors: lines `word x1 x2 …`, a first line `words length` is skipped."""
    text = load_bytes(path, FileFormat.CSV).decode("utf-8-sig")
    vectors: dict[str, np.ndarray] = {}
    length = 0
    for number, line in enumerate(text.splitlines(), 1):
        word, *cells = line.rstrip().split("\t" if "\t" in line else " ")
        if not word or (number == 1 and len(cells) == 1):
            continue
        try:
            vector = np.array([float(cell) for cell in cells])
        except ValueError:
            vector = np.array([np.nan])
        length = length or len(vector)
        if len(vector) != length or not np.isfinite(vector).all():
            raise input_error(
                path,
                Message(
                    "line {line}: a word and {numbers} numbers are needed",
                    line=number,
                    numbers=length,
                ),
            )
        vectors[normalize_word(word)] = vector
    return vectors


def _count_grams(word: str) -> Counter[str]:
    normalized = normalize_word(word)
    return Counter(
        normalized[start : start + length]
        for length in GRAM_LENGTHS
        for start in range(len(normalized) - length + 1)
    )


def _gram_matrix(words: Sequence[str], column_by_gram: Mapping[str, int]) -> np.ndarray:
    matrix = np.zeros((len(words), len(column_by_gram)))
    for row, word in enumerate(words):
        for gram, times in _count_grams(word).items():
            if gram in column_by_gram:
                matrix[row, column_by_gram[gram]] = 1 + np.log(times)
    return matrix


def _cosine(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    return np.asarray(_normalize_rows(first) @ _normalize_rows(second).T)


def _normalize_rows(rows: np.ndarray) -> np.ndarray:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0))


def _stack_vectors(words: Sequence[str], vectors: WordVectors) -> np.ndarray:
    length = len(next(iter(vectors.values()), ()))
    return np.array([vectors.get(normalize_word(word), np.zeros(length)) for word in words])


def _word_nodes(words: Sequence[str], leaves: Mapping[str, int], node: np.ndarray) -> np.ndarray:
    places = [leaves.get(normalize_word(word), -1) for word in words]
    return np.array([-1 if leaf < 0 else int(node[leaf]) for leaf in places])


def _parse_number(word: str) -> float | None:
    try:
        number = float(normalize_word(word).rstrip("才歳"))
    except ValueError:
        return None
    return number if np.isfinite(number) else None


def _is_below(low: float | None, high: float | None) -> bool:
    return low is not None and high is not None and low < high
